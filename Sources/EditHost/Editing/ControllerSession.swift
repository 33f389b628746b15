// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import Logging
import RunnerHost
import RunnerProtocol

/// A controller of an extension that edits one photo, from `canHandle` to its destruction.
///
/// The calls and their order are those of PhotoKit's `PHContentEditingController`. The owner must call ``close()``,
/// even after an error.
package final class ControllerSession: Sendable {
    /// The manifest of the extension that edits.
    package let manifest: ExtensionManifest
    /// Whether the extension is untrusted. If so, its input and output are raw pixels.
    let isUntrusted: Bool
    /// The files that the parameters of the edit refer to.
    let files = SessionFiles()
    let digest: SHA256Digest
    private let pool: RunnerPool
    private let lease: RunnerPool.Lease
    private let observer = EditObserver()
    var runner: Runner { lease.runner }

    /// Starts a session: borrows a runner, loads the extension and the extensions that the input state
    /// needs, and creates the controller.
    ///
    /// - Parameter isOpenEnded: `true` if the user or an application decides when the session ends. Its runner
    ///   is not counted against the limit on runners for other edits.
    /// - Throws: `HostError`.
    init(
        _ binary: ExtensionBinary, inputExtensions: [ExtensionBinary], pool: RunnerPool,
        isOpenEnded: Bool = false
    ) async throws {
        manifest = binary.manifest
        isUntrusted = !binary.isTrusted
        digest = binary.digest
        self.pool = pool
        lease = try await pool.lendToSession(
            loading: [binary] + (isUntrusted ? [] : inputExtensions.filter(\.isTrusted)),
            isOpenEnded: isOpenEnded)
        lease.runner.process.observer = observer
        do {
            try await done(
                .open(extensionIdentifier: manifest.identifier),
                timeout: lease.runner.timeouts.interactive)
        } catch {
            lease.runner.process.terminate()
            await pool.end(lease)
            throw error
        }
    }

    /// Returns whether the extension can continue the edit that produced a recipe.
    ///
    /// - Throws: `HostError` if the extension does not answer. Its controller is unusable afterwards.
    func canHandle(_ adjustmentData: AdjustmentData) async throws -> Bool {
        let reply = try await runner.send(
            .canHandle(adjustmentData),
            timeout: runner.timeouts.shortCall + RunnerTimeouts.reading(adjustmentData))
        guard case .answer(let answer) = reply else { throw runner.unexpected(reply) }
        return answer
    }

    /// Starts the edit and returns the values of its parameters.
    ///
    /// - Throws: `HostError`.
    func start(
        _ start: SessionStart, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> [String: ParameterValue] {
        let reply = try await send(
            .start(start), descriptors,
            timeout: runner.timeouts.interactive
                + (start.adjustmentData.map(RunnerTimeouts.reading) ?? .zero))
        return try parameters(in: reply)
    }

    /// Changes parameters and returns the values of all of them. Reads the files whose paths are among the values.
    ///
    /// - Parameter library: The library that stores the files of earlier versions of the edit; nil if there are none.
    /// - Throws: `HostError` with `badParameter` if a value does not conform to the manifest.
    package func setParameters(
        _ values: [String: ParameterValue], in library: PhotoLibrary?
    ) async throws -> [String: ParameterValue] {
        try await setParameters(values, in: library, from: [])
    }

    /// Changes parameters, see ``setParameters(_:in:)``.
    ///
    /// - Parameter others: Files that the values may also name by their hashes.
    func setParameters(
        _ values: [String: ParameterValue], in library: PhotoLibrary?,
        from others: [ParameterFile]
    ) async throws -> [String: ParameterValue] {
        let read = try files.reading(try manifest.checked(values), for: manifest, from: others)
        let packed = try PackedParameterFiles(read.files, library)
        let reply = try await send(
            .setParameters(try JSONEncoder().encode(read.values), files: packed.ranges),
            packed.descriptors, timeout: runner.timeouts.interactive)
        files.keep(read)
        return try parameters(in: reply)
    }

    /// Changes parameters to values that contain no files.
    ///
    /// - Throws: `HostError` with `badParameter` if a value does not conform to the manifest.
    func setParameters(
        _ values: [String: ParameterValue]
    ) async throws -> [String: ParameterValue] {
        let json = try JSONEncoder().encode(try manifest.checked(values))
        return try parameters(
            in: try await send(
                .setParameters(json, files: []), timeout: runner.timeouts.interactive))
    }

    private func parameters(in reply: RunnerReply) throws -> [String: ParameterValue] {
        guard case .parameters(let json) = reply else { throw runner.unexpected(reply) }
        let values: [String: ParameterValue]
        do {
            // This is longer than any real set of parameters. Decoding many small values takes many times their length
            // in memory.
            guard json.count <= 1 << 20 else {
                throw InvalidValueError.parameter("parameters", "are larger than 1 MiB")
            }
            values = try JSONDecoder().decode([String: ParameterValue].self, from: json)
        } catch {
            runner.process.terminate()
            throw HostError(
                .extensionFailed,
                "its parameters must be a JSON object of plain values, at most 1 MiB; correct the text "
                    + "that get_parameters returns",
                extension: manifest.identifier, underlying: error)
        }
        try requireDeclaredTypes(of: values)
        return files.accepting(values, for: manifest)
    }

    private func requireDeclaredTypes(of values: [String: ParameterValue]) throws {
        for parameter in manifest.parameters where parameter.type != .file {
            guard let found = values[parameter.name].flatMap(parameter.mismatchedType) else {
                continue
            }
            throw HostError(
                .unusableExtension,
                "the value of the parameter \"\(parameter.name)\" in the code of "
                    + "\(manifest.identifier) is \(found); its manifest declares "
                    + "\(parameter.expectation); make them equal",
                extension: manifest.identifier)
        }
    }

    /// Whether the session's runner still accepts requests.
    var isAlive: Bool { runner.process.isAlive }

    /// Renders the current state of the edit.
    ///
    /// - Throws: `HostError`.
    func preview<Wanted: RequestedOutput>(
        _ output: Wanted, _ view: PreviewView
    ) async throws -> Wanted.Picture {
        try await picture(output) { .preview($0, view) }
    }

    /// An output for the pixels of a preview, in a buffer that is reused between previews.
    var previewPixels: UncompressedPixelsOutput { UncompressedPixelsOutput(use: .preview(digest)) }

    /// Supplies the full-size input to an edit that was started with a reduced one.
    ///
    /// - Throws: `HostError`.
    func supplyFullSize(
        _ kind: RenderInput.Base, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws {
        let reply = try await runner.send(
            .supplyFullSize(kind), descriptors, timeout: runner.timeouts.interactive)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }

    /// Finishes the edit and validates its recipe. Returns nil if the extension has nothing to commit.
    ///
    /// - Throws: `HostError`.
    func finish() async throws -> FinishedEdit? {
        let reply = try await send(
            .finish, timeout: runner.timeouts.render, isFullSize: true)
        guard case .finished(let edit) = reply else { throw runner.unexpected(reply) }
        do {
            _ = try edit?.adjustmentData.checked()
            return edit
        } catch {
            throw HostError(
                .extensionFailed, "its output cannot be committed: \(error)",
                extension: manifest.identifier, underlying: error)
        }
    }

    /// Renders the finished edit. Can be called more than once, with different outputs.
    ///
    /// - Throws: `HostError`.
    func render<Wanted: RequestedOutput>(_ output: Wanted) async throws -> Wanted.Picture {
        try await picture(output, RunnerRequest.render)
    }

    /// Returns a copy of the output file that the extension wrote.
    ///
    /// - Throws: `HostError`.
    func takeWrittenFile() async throws -> OpenFile {
        try await attributingInputFailures { try await runner.takeWrittenFile() }
    }

    private func picture<Wanted: RequestedOutput>(
        _ output: Wanted, _ request: (RenderOutput) -> RunnerRequest
    ) async throws -> Wanted.Picture {
        switch try await output.take(from: runner, request, []) {
        case .picture(let picture): return picture
        case .fileWritten(let step, let file):
            throw runner.unexpected(.fileWritten(step: step, file))
        }
    }

    /// Returns whether the user should confirm before the edit is cancelled. `false` if the extension does not answer.
    ///
    /// - Parameter timeout: The time after which a runner that does not answer is killed. `nil` means that of a
    ///   cancellation.
    package func shouldShowCancelConfirmation(timeout: Duration? = nil) async -> Bool {
        let reply = try? await runner.send(
            .shouldConfirmCancel, timeout: timeout ?? runner.timeouts.shortCall)
        guard case .answer(let answer) = reply else { return false }
        return answer
    }

    /// Cancels the edit at any time after its start. A request in flight fails with `cancelled`.
    /// An extension that does not stop in time is killed.
    package func cancel() async {
        observer.video?.cancel()
        let reply = try? await runner.send(.cancel, timeout: runner.timeouts.shortCall)
        guard case .done = reply else {
            runner.process.terminate()
            return
        }
    }

    /// Reports the progress of the extension until ``close()``.
    func report(to progress: ProgressReports) {
        observer.progress = progress
    }

    /// Provides input pixels that are rendered when the extension first reads them, until ``close()``.
    func offer(input: LazyPixelSource) { observer.input = input }

    /// Provides a placeholder that is rendered when the extension first reads it, until ``close()``.
    func offer(placeholder: LazyPixelSource) { observer.placeholder = placeholder }

    /// Provides the video of the input, which is opened when the extension first reads it, until ``close()``.
    ///
    /// - Parameter open: Opens or renders the video.
    func offer(video open: @escaping InputVideoSource.Opening, _ logger: Logger) {
        let decoder = InputVideoDecoder(
            pool, isUntrusted ? .input(digest) : .frames, logger, open)
        observer.video = InputVideoSource(for: runner, decoder)
    }

    /// The lazily rendered input of the session, or nil if its input was rendered before the start.
    var input: LazyPixelSource? { observer.input }

    /// Sends a request to the runner. If the input failed to render or to be read, throws that error instead of the
    /// runner's.
    private func send(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)] = [],
        timeout: Duration, isFullSize: Bool = false
    ) async throws -> RunnerReply {
        try await attributingInputFailures {
            try await runner.send(
                request, descriptors, timeout: timeout, isFullSize: isFullSize)
        }
    }

    /// Runs a body. If the input failed to render or to be read, throws that error instead of the body's.
    func attributingInputFailures<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw input?.failure ?? videoFailure(behind: error) ?? error
        }
    }

    /// Returns the error of the video if the extension failed because it could not read the video.
    private func videoFailure(behind error: any Error) -> (any Error)? {
        guard let error = error as? HostError, error.code == .extensionFailed,
            error.underlying is RunnerFailure
        else { return nil }
        return observer.video?.failure
    }

    /// Destroys the controller and returns the runner to the pool.
    package func close() async { _ = await Result.capturing { try await end() } }

    /// Destroys the controller and returns the runner to the pool, even if destroying fails.
    ///
    /// - Throws: `HostError` if the extension did not destroy the controller, or if its runner had died.
    func end() async throws {
        let destroyed = await Result.capturing {
            try await done(.close, timeout: runner.timeouts.interactive)
        }
        if case .failure = destroyed { runner.process.terminate() }
        runner.process.observer = nil
        await observer.end()
        await pool.end(lease)
        try destroyed.get()
    }

    private func done(_ request: RunnerRequest, timeout: Duration) async throws {
        let reply = try await runner.send(request, timeout: timeout)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }
}
