// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

/// One controller's life: an extension that edits one photograph, from `canHandle` to the end.
///
/// The calls are those of PhotoKit's `PHContentEditingController`, in its order. Whatever way it
/// ends, ``close()`` has to be called.
package final class ControllerSession: Sendable {
    /// The extension.
    package let manifest: ExtensionManifest
    /// Whether it is not trusted: it is given pixels and gives pixels.
    let isIsolated: Bool
    /// What the file parameters of the edit name.
    let files = SessionFiles()
    let digest: SHA256Digest
    private let pool: RunnerPool
    private let lease: RunnerPool.Lease
    var runner: Runner { lease.runner }

    /// Starts a session: lends a runner, loads the extension and those that the input state
    /// needs, and creates the controller.
    ///
    /// - Parameter isOpenEnded: somebody outside decides how long it takes; its runner is one beyond
    ///   those that edits wait for.
    /// - Throws: `HostError`.
    init(
        _ binary: ExtensionBinary, inputExtensions: [ExtensionBinary], pool: RunnerPool,
        isOpenEnded: Bool = false
    ) async throws {
        manifest = binary.manifest
        isIsolated = !binary.isTrusted
        digest = binary.digest
        self.pool = pool
        lease = try await pool.lendToSession(
            loading: [binary] + (isIsolated ? [] : inputExtensions.filter(\.isTrusted)),
            isOpenEnded: isOpenEnded)
        do {
            try await done(
                .open(extensionIdentifier: manifest.identifier),
                deadline: lease.runner.deadlines.interactive)
        } catch {
            lease.runner.process.terminate()
            await pool.takeBack(lease)
            throw error
        }
    }

    /// Whether the extension can continue the edit that made a recipe.
    ///
    /// - Throws: `HostError` where it gives no answer; its controller is gone then.
    func canHandle(_ adjustmentData: AdjustmentData) async throws -> Bool {
        let reply = try await runner.ask(
            .canHandle(adjustmentData),
            deadline: runner.deadlines.canHandle + RunnerDeadlines.reading(adjustmentData))
        guard case .answer(let answer) = reply else { throw runner.unexpected(reply) }
        return answer
    }

    /// Starts the edit and gives the values of its parameters.
    ///
    /// - Throws: `HostError`.
    func start(
        _ start: SessionStart, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> [String: ParameterValue] {
        let reply = try await ask(
            .start(start), descriptors,
            deadline: runner.deadlines.interactive
                + (start.adjustmentData.map(RunnerDeadlines.reading) ?? .zero))
        return try parameters(in: reply)
    }

    /// Changes parameters and gives the values of all. Files that they name by their paths are read.
    ///
    /// - Parameter library: has the bytes of the files that the edit named before.
    /// - Throws: `HostError` with `badParameter` for values that do not suit the manifest.
    package func setParameters(
        _ values: [String: ParameterValue], in library: PhotoLibrary
    ) async throws -> [String: ParameterValue] {
        let taken = try files.taking(try manifest.checked(values), for: manifest)
        let packed = try PackedParameterFiles(taken.files, library)
        let reply = try await ask(
            .setParameters(try JSONEncoder().encode(taken.values), files: packed.ranges),
            packed.descriptors, deadline: runner.deadlines.interactive)
        files.keep(taken)
        return try parameters(in: reply)
    }

    /// Changes parameters to values none of which is a file.
    ///
    /// - Throws: `HostError` with `badParameter` for values that do not suit the manifest.
    func setParameters(
        _ values: [String: ParameterValue]
    ) async throws -> [String: ParameterValue] {
        let json = try JSONEncoder().encode(try manifest.checked(values))
        return try parameters(
            in: try await ask(
                .setParameters(json, files: []), deadline: runner.deadlines.interactive))
    }

    private func parameters(in reply: RunnerReply) throws -> [String: ParameterValue] {
        guard case .parameters(let json) = reply else { throw runner.unexpected(reply) }
        do {
            // Far more than any text; a flood of small values would take many times its length.
            guard json.count <= 1 << 20 else {
                throw InvalidValueError.parameter("parameters", "are larger than 1 MiB")
            }
            let values = try JSONDecoder().decode([String: ParameterValue].self, from: json)
            return files.told(values, for: manifest)
        } catch {
            runner.process.terminate()
            throw HostError(
                .extensionFailed,
                "its parameters must be a JSON object of plain values, at most 1 MiB",
                extension: manifest.identifier, underlying: error)
        }
    }

    /// Whether its runner can still be asked.
    var isAlive: Bool { runner.process.isAlive }

    /// Renders the edit as it stands.
    ///
    /// - Throws: `HostError`.
    func preview<Wanted: Output>(
        _ output: Wanted, _ view: PreviewView
    ) async throws -> Wanted.Picture {
        try await picture(output) { .preview($0, view) }
    }

    /// Pixels of a preview, in memory that previews use again.
    var previewPixels: RawOutput { RawOutput(use: .preview(digest)) }

    /// Gives the input at full size to an edit that was started with a reduced one.
    ///
    /// - Throws: `HostError`.
    func supplyFullSize(
        _ kind: RenderInput.Base, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws {
        let reply = try await runner.ask(
            .supplyFullSize(kind), descriptors, deadline: runner.deadlines.interactive)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }

    /// Finishes the edit; nil: the extension has nothing to commit.
    ///
    /// - Throws: `HostError`.
    func finish() async throws -> FinishedEdit? {
        let reply = try await ask(
            .finish, deadline: runner.deadlines.render, isFullSize: true)
        guard case .finished(let edit) = reply else { throw runner.unexpected(reply) }
        return edit
    }

    /// Pulls the pixels of the finished edit; may be asked again for another output.
    ///
    /// - Throws: `HostError`.
    func render<Wanted: Output>(_ output: Wanted) async throws -> Wanted.Picture {
        try await picture(output, RunnerRequest.render)
    }

    /// A copy of the file that the extension wrote as its output.
    ///
    /// - Throws: `HostError`.
    func takeWrittenFile() async throws -> OpenFile {
        try await blamingInput { try await runner.takeWrittenFile() }
    }

    private func picture<Wanted: Output>(
        _ output: Wanted, _ request: (RenderOutput) -> RunnerRequest
    ) async throws -> Wanted.Picture {
        switch try await output.take(from: runner, request, []) {
        case .picture(let picture): return picture
        case .fileWritten(let step, let file):
            throw runner.unexpected(.fileWritten(step: step, file))
        }
    }

    /// Whether the user should be asked before the edit is cancelled; false where the extension
    /// gives no answer.
    package func shouldShowCancelConfirmation() async -> Bool {
        let reply = try? await runner.ask(
            .shouldConfirmCancel, deadline: runner.deadlines.canHandle)
        guard case .answer(let answer) = reply else { return false }
        return answer
    }

    /// Cancels the edit, at any time after its start. What is being asked of it fails with
    /// `cancelled`; an extension that does not stop in time is killed.
    package func cancel() async {
        let reply = try? await runner.ask(.cancel, deadline: runner.deadlines.canHandle)
        guard case .done = reply else {
            runner.process.terminate()
            return
        }
    }

    /// Has somebody told what the extension says of its progress, until ``close()``.
    func report(to progress: ProgressReports) {
        runner.process.state.withLock { $0.progress = progress }
    }

    /// Has pixels drawn when the extension reads them, until ``close()``.
    func offer(input: PendingPixels) { runner.process.state.withLock { $0.input = input } }

    /// The same of a placeholder.
    func offer(placeholder: PendingPixels) {
        runner.process.state.withLock { $0.placeholder = placeholder }
    }

    /// The pixels that the session was started with, where they are drawn when they are read.
    var input: PendingPixels? { runner.process.state.withLock { $0.input } }

    /// Asks the runner; where the input cannot be drawn, that is the error.
    private func ask(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)] = [],
        deadline: Duration, isFullSize: Bool = false
    ) async throws -> RunnerReply {
        try await blamingInput {
            try await runner.ask(
                request, descriptors, deadline: deadline, isFullSize: isFullSize)
        }
    }

    /// What the body gives; where it fails and the input could not be drawn, that is the error.
    func blamingInput<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw input?.failure ?? error
        }
    }

    /// Destroys the controller and gives the runner back.
    package func close() async {
        do {
            try await done(.close, deadline: runner.deadlines.interactive)
        } catch {
            runner.process.terminate()
        }
        let (progress, pending) = runner.process.state.withLock { state in
            defer { (state.progress, state.input, state.placeholder) = (nil, nil, nil) }
            return (state.progress, [state.input, state.placeholder])
        }
        await progress?.end()
        for pixels in pending { await pixels?.end() }
        await pool.takeBack(lease)
    }

    private func done(_ request: RunnerRequest, deadline: Duration) async throws {
        let reply = try await runner.ask(request, deadline: deadline)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }
}
