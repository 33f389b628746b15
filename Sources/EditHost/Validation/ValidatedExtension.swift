// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

/// An extension that is validated, in the processes of one check.
struct ValidatedExtension: Sendable {
    let host: ExtensionHost
    let binary: ExtensionBinary
    let log: ValidationLog

    var manifest: ExtensionManifest { binary.manifest }

    /// Whether it edits videos but no photos. It then gets a frame, and its preview is examined.
    var isForVideos: Bool { !manifest.supportedMediaTypes.contains(.image) }

    /// The timing of the video. It lasts a day, so that parameters that are times stay within it.
    static let timing = FrameTiming(
        numerator: 1, denominator: 1000, start: 0, duration: 86_400_000)

    /// Ends the processes. The next edit runs in a new one.
    func restart() async { await host.pool.shutDown() }

    /// Loads the library in a process.
    func load() async throws { try await host.pool.withRunner(loading: [binary]) { _ in } }

    /// Calls a closure with a new controller, and destroys it.
    func withSession<Value: Sendable>(
        _ body: (ControllerSession) async throws -> Value
    ) async throws -> Value {
        let session = try await ControllerSession(binary, inputExtensions: [], pool: host.pool)
        let result = await Result.capturing { try await body(session) }
        // A runner is terminated after most errors of its extension.
        let wasAlive = session.isAlive
        let end = await Result.capturing { try await session.end() }
        let value = try result.get()
        if wasAlive { try end.get() }
        return value
    }

    /// Returns the message that starts an edit.
    ///
    /// - Parameter recipe: The recipe to continue.
    func start(
        _ picture: ValidationPicture, from recipe: AdjustmentData? = nil, asVideo: Bool? = nil
    ) -> SessionStart {
        let isVideo = asVideo ?? isForVideos
        let type = isVideo ? MediaFormat.mp4 : .png
        var start = SessionStart(
            input: RenderInput(base: .raw(picture.layout)), adjustmentData: recipe,
            isInteractive: isVideo, placeholder: nil, mediaType: isVideo ? .video : .image,
            mediaSubtypes: [], creationDate: "2024-02-29T12:34:56+01:00", location: nil,
            capture: .sample, contentType: type.contentType, renderedContentType: type.contentType)
        if isVideo { start.input.moment = FrameIdentity(Self.timing, FrameTime(timestamp: 0)) }
        return start
    }

    /// Edits a picture.
    ///
    /// - Parameters:
    ///   - values: The parameters to change.
    ///   - recipe: The recipe to continue.
    ///   - change: Changes the message that starts the edit.
    func edit(
        _ picture: ValidationPicture, _ values: [String: ParameterValue] = [:],
        from recipe: AdjustmentData? = nil, _ change: (inout SessionStart) -> Void = { _ in }
    ) async throws -> ValidationEdit {
        var start = start(picture, from: recipe)
        change(&start)
        let wanted = start
        return try await withSession { session in
            var parameters = try await session.start(wanted, [(.base, try picture.file())])
            if !values.isEmpty { parameters = try await session.setParameters(values) }
            var pixels = isForVideos ? try await preview(session, picture.size) : nil
            let finished = try await finish(session)
            if pixels == nil { pixels = try await self.pixels(of: finished, in: session) }
            return ValidationEdit(
                parameters: parameters, recipe: finished.adjustmentData,
                picture: pixels ?? picture)
        }
    }

    /// Renders a preview that fits into a box.
    func preview(
        _ session: ControllerSession, _ box: PixelSize, _ region: NormalizedRect? = nil
    ) async throws -> ValidationPicture {
        try ValidationPicture(
            try await session.preview(
                UncompressedPixelsOutput(), PreviewView(box: box, region: region)))
    }

    /// Finishes an edit, which must have an output.
    func finish(_ session: ControllerSession) async throws -> FinishedEdit {
        guard let finished = try await session.finish() else {
            throw ValidationFinding.failure(
                "finish completed with neither a recipe nor a picture, so nothing would be "
                    + "committed")
        }
        return finished
    }

    /// Returns the pixels of a finished edit, which may be in a file.
    func pixels(
        of finished: FinishedEdit, in session: ControllerSession
    ) async throws -> ValidationPicture {
        guard let file = finished.file else {
            return try ValidationPicture(try await session.render(UncompressedPixelsOutput()))
        }
        let base = try await host.pool.verified(
            try await session.takeWrittenFile(), file, by: binary)
        let decoded = try await host.pool.pixels(of: base)
        guard case .raw(let layout) = decoded.kind else {
            throw HostError(.runnerFailed, "the runner returned no pixels")
        }
        return ValidationPicture(
            layout: layout, bytes: try decoded.bytes.read(count: layout.byteCount))
    }
}
