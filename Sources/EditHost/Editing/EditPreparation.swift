// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Logging
import RunnerHost
import RunnerProtocol

/// Opens a session with an extension for one photo and starts an edit in it.
struct EditPreparation: Sendable {
    /// The purpose of an edit.
    enum Purpose: Sendable {
        /// The edit is committed without a preview.
        case batch
        /// The edit is previewed once.
        case preview
        /// The edit is previewed for an open-ended time, and may be committed afterwards.
        case session

        /// Whether previews are rendered.
        var isInteractive: Bool { self != .batch }
    }

    let host: ExtensionHost
    let library: PhotoLibrary
    var request: EditRequest
    let binary: ExtensionBinary
    let values: [String: ParameterValue]
    /// The recipe to start from, instead of that of the continued edit.
    let recipe: StartingRecipe?
    let cancellation: EditCancellation
    /// Whether each parameter is set to the value that it has, so that the extension finds the data of the photo again.
    var refreshesPhotoData = false
    var purpose = Purpose.batch
    /// The maximum longer side of previews, in pixels.
    var displaySize = ExtensionHost.displaySize
    /// The time of the previewed frame of a video, in seconds from the first frame; nil means the first.
    var time: Double?
    /// The previewed frame of the original, if it is decoded while the extension is loaded.
    var prefetch: FramePrefetch?
    /// The parameter files that are committed with the edit.
    let stagedFiles = StagedParameterFiles()
    /// Receives the progress of the edit.
    var progressHandler: EditProgressHandler?

    var renderer: Renderer {
        var renderer = host.renderer(of: library, for: purpose == .preview ? .preview : .rendering)
        // The runner of an open session is outside the pool's limit, so its further runners count against that.
        renderer.isForSession = purpose != .session
        return renderer
    }
    /// A renderer of pictures that the user waits for. They do not wait for other jobs, such as the pictures of a grid.
    /// Their number is bounded: the number of sessions is limited, and each renders one picture at a time.
    var interactiveRenderer: Renderer {
        var renderer = renderer
        renderer.isForSession = true
        return renderer
    }
    var planner: StatePlanner { renderer.planner }

    /// Edits an asset without changing the library.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func prepare(_ assetIdentifier: String) async throws -> PreparedEdit {
        try await withEdit(of: assetIdentifier) { try await $0.finish() }
    }

    /// Renders the result of the edit, or a region of it.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func preview(
        _ assetIdentifier: String, _ settings: EncodeSettings, of region: NormalizedRect?
    ) async throws -> EncodedOutput.Picture {
        try await withEdit(of: assetIdentifier) { try await $0.preview(settings, of: region) }
    }

    /// Starts an edit, and always closes it after the body.
    private func withEdit<Value: Sendable>(
        of assetIdentifier: String, _ body: (StartedEdit) async throws -> Value
    ) async throws -> Value {
        let edit = try await start(assetIdentifier)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(edit))
        } catch {
            result = .failure(error)
        }
        await edit.close()
        return try naming(assetIdentifier) { try result.get() }
    }

    /// Opens a session, asks the extension about the recipe, and starts the edit with the requested values.
    ///
    /// - Returns: The edit. The caller must call ``StartedEdit/close()``.
    /// - Throws: `HostError`, `LibraryError`; in that case, no session is open.
    func start(_ assetIdentifier: String) async throws -> StartedEdit {
        try await start(try library.history(ofAsset: assetIdentifier))
    }

    /// See ``start(_:)``.
    func start(_ history: AssetHistory) async throws -> StartedEdit {
        let assetIdentifier = history.asset.localIdentifier
        do {
            try requireSupport(for: history)
            // Must precede the opening of the session, because both may have to wait for a runner.
            let recipe = try await recipe?.resolvingForeignNames(of: binary, host)
            let target = try target(in: history)
            let (session, continues) = try await open(history, asking: target)
            return try await closing(session, of: assetIdentifier) {
                let input = try input(continuing: continues ? target : nil, in: history)
                let plan = try renderer.inputPlan(input.below, of: history, in: library)
                var edit = try await start(
                    session, input, plan, continuing: input.replaced, from: recipe)
                edit.lacksOriginal = continues && input.replaced == nil
                return edit
            }
        } catch {
            return try naming(assetIdentifier) { throw error }
        }
    }

    /// Starts an edit in a session, and closes the session if that fails.
    func closing(
        _ session: ControllerSession, of assetIdentifier: String,
        _ start: () async throws -> StartedEdit
    ) async throws -> StartedEdit {
        cancellation.follow(session)
        if let progressHandler {
            session.report(to: ProgressReports(of: assetIdentifier, to: progressHandler))
        }
        do {
            return try await start()
        } catch {
            cancellation.forget(session)
            await session.close()
            throw error
        }
    }

    /// Adds the asset to errors of a body.
    func naming<Value>(_ assetIdentifier: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as HostError {
            // A runner that was terminated by the cancellation has not failed.
            try cancellation.check()
            throw error.naming(asset: assetIdentifier)
        }
    }

    func requireSupport(for history: AssetHistory) throws {
        // Once the motion is hidden, further edits affect only the still.
        try binary.manifest.requireSupport(
            for: history.asset,
            editsMotion: purpose != .preview && history.hasMotion && !request.stillOnly)
    }

    /// Returns whether the video is edited too. An edit that replaces a still-only edit can apply to both again.
    func editsMotion(of input: ContentEditingInput) -> Bool {
        editsMotion(of: input.history, above: input.below)
    }

    /// Returns whether the video is edited too.
    ///
    /// - Parameter below: The edits below the new one.
    func editsMotion(of history: AssetHistory, above below: some Sequence<Edit>) -> Bool {
        guard !request.stillOnly, history.pairedVideo != nil, below.allSatisfy(\.coversMotion)
        else { return false }
        return history.hasMotion || binary.manifest.supportedMediaTypes.contains(.video)
    }

    func session(with below: [ExtensionBinary]) async throws -> ControllerSession {
        try await ControllerSession(
            binary, inputExtensions: below, pool: host.pool, isOpenEnded: purpose == .session)
    }

    /// Returns the binaries of the edits in a stack whose extensions are installed.
    func runnableBinaries(of chain: [Edit]) -> [ExtensionBinary] {
        StatePlan.unique(
            chain.compactMap { edit in
                edit.editingExtension.flatMap {
                    try? host.extensions.binary(identifier: $0.identifier, for: library.path)
                }
            })
    }

    /// Starts the edit with the requested recipe and values.
    func start(
        _ session: ControllerSession, _ input: ContentEditingInput, _ plan: StatePlan,
        continuing continued: Edit?, from recipe: StartingRecipe?
    ) async throws -> StartedEdit {
        session.files.continues(recipe?.files ?? continued?.files ?? [])
        let data = try await recipe?.data(takenBy: session) ?? input.adjustmentData
        var start = try await start(session, input, plan, from: data)
        try cancellation.check()
        try recipe?.requireEffect(on: start.parameters, of: binary.manifest)
        let present = refreshesPhotoData ? start.parameters.filter { isSet($0.key) } : [:]
        // The defaults are set in a separate call, because an automatic parameter keeps the values that are set
        // together with it.
        for changes in [present, request.reset ? binary.manifest.defaultValues : [:], values]
        where !changes.isEmpty {
            start.parameters = try await session.setParameters(changes, in: library)
        }
        return StartedEdit(
            preparation: self, session: session, continued: continued, input: input, plan: plan,
            start: start)
    }

    /// Returns whether a parameter is set again. Files stay with their recipe.
    private func isSet(_ name: String) -> Bool {
        binary.manifest.parameter(named: name).map { $0.type != .file } ?? false
    }
}
