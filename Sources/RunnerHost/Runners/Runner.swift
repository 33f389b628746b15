// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import RunnerProtocol
import Synchronization

/// A runner leased exclusively to one caller, and the requests to it.
///
/// Failures of the runner are thrown as a `HostError` that names the extension concerned.
package final class Runner: Sendable {
    package let process: RunnerProcess
    package let timeouts: RunnerTimeouts
    private let quarantine: Quarantine
    private let buffers: PixelBuffers
    private let decodes: DecodeTotals
    private let executor: any TaskExecutor
    private let reportedDecodes = Mutex(DecodeTotals.Counts())
    private let loaded = Mutex<[ExtensionBinary]>([])
    private let hasFailed = Mutex(false)
    private let wasCancelled = Mutex(false)
    /// The folder of the library that the runner currently works for.
    private let servedLibrary = Mutex<String?>(nil)
    /// Whether the runner itself reduces the requested pixels.
    private let isReducing = Mutex(false)

    init(
        process: RunnerProcess, timeouts: RunnerTimeouts, quarantine: Quarantine,
        buffers: PixelBuffers, decodes: DecodeTotals = DecodeTotals(),
        executor: any TaskExecutor
    ) {
        self.process = process
        self.timeouts = timeouts
        self.quarantine = quarantine
        self.buffers = buffers
        self.decodes = decodes
        self.executor = executor
    }

    /// The untrusted extension, which does not share the runner.
    private var untrusted: ExtensionBinary? { binaries.first { !$0.isTrusted } }

    /// The loaded extensions, with the library that the runner works for.
    private var binaries: [ExtensionBinary] {
        let library = servedLibrary.withLock { $0 }
        return loaded.withLock { $0 }.map { binary in
            var binary = binary
            binary.servedLibrary = library
            return binary
        }
    }

    /// Loads an extension from the bytes that were hashed.
    ///
    /// - Throws: `HostError` with `unusableExtension`, `sandboxUnavailable` or `extensionFailed`.
    func load(_ binary: ExtensionBinary) async throws {
        try quarantine.requireNotQuarantined(binary)
        loaded.withLock { $0.append(binary) }
        var description = LoadedExtension(binary.manifest, files: binary.files.ranges)
        if binary.isUnknown { description.isUnknown = true }
        description.path = binary.debuggedPath
        let printed = process.state.withLock { state in
            state.loaded.append(binary.manifest.identifier)
            return state.log.byteCount
        }
        do {
            let reply = try await send(
                .load(description),
                [(.library, binary.memory)] + (binary.files.memory.map { [(.files, $0)] } ?? []),
                timeout: timeouts.load)
            guard case .loaded = reply else { throw unexpected(reply) }
        } catch let error as HostError where error.underlying is RunnerFailure {
            throw explained(error, after: printed)
        }
    }

    /// Returns the failure to load an extension with what it printed, and how to provide a missing library.
    private func explained(_ error: HostError, after printed: Int) -> HostError {
        let log = process.state.withLock { $0.log.text(after: printed) }
        // Lines that were logged begin with the identifier.
        let logged = error.extensionIdentifier.map { "\($0): " } ?? ""
        let reason = CrashMessage(in: log).map { reason in
            let words = reason.description
            return
                " (it printed: \(words.hasPrefix(logged) ? words.dropFirst(logged.count) : words[...]))"
        }
        let advice = MissingSharedLibrary(in: error.message).map { "; " + $0.advice() }
        guard let details = advice ?? reason else { return error }
        return HostError(
            error.code, error.message + details, extension: error.extensionIdentifier,
            underlying: error.underlying)
    }

    /// Whether a request has ended.
    private final class Progress: Sendable {
        private let isOver = Mutex(false)
        var hasEnded: Bool { isOver.withLock { $0 } }
        func end() { isOver.withLock { $0 = true } }
    }

    /// Resets the state of the previous lease.
    ///
    /// - Parameter library: The folder of the library that the runner works for during the lease.
    func beginLease(for library: String?) {
        servedLibrary.withLock { $0 = library }
        resetCancellation()
    }

    private func resetCancellation() { wasCancelled.withLock { $0 = false } }

    /// Requests pixels, with the timeout of such requests.
    ///
    /// - Parameter isCancellable: Whether cancelling the task cancels the request by message, so that the runner
    ///   survives.
    /// - Throws: `HostError`.
    package func requestPixels(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)],
        isCancellable: Bool = false
    ) async throws -> RunnerReply {
        let isFullSize = request.isFullSize
        let timeout = isFullSize ? timeouts.render : timeouts.interactive
        if isCancellable, Task.isCancelled {
            throw HostError(.cancelled, "the request was cancelled")
        }
        guard isCancellable else {
            return try await send(
                request, descriptors, timeout: timeout, isFullSize: isFullSize)
        }
        return try await endingOnCancel { [self] in
            try await send(request, descriptors, timeout: timeout, isFullSize: isFullSize)
        }
    }

    /// Runs a request in a detached task, because cancelling its own task would kill the runner. On cancellation, a
    /// message requests that the runner end the request.
    private func endingOnCancel(
        _ question: @escaping @Sendable () async throws -> RunnerReply
    ) async throws -> RunnerReply {
        let progress = Progress()
        let task = Task.detached(executorPreference: executor) {
            defer { progress.end() }
            return try await question()
        }
        let cancel = Mutex<Task<Void, Never>?>(nil)
        let reply = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            cancel.withLock { cancel in
                cancel = Task.detached(executorPreference: executor) { [self] in
                    // The request may not have started yet, and cannot be cancelled until then.
                    while !progress.hasEnded,
                        (try? await send(.cancel, timeout: timeouts.shortCall)) == nil
                    {
                        try? await Task.sleep(for: .milliseconds(2))
                    }
                }
            }
        }
        // The cancellation must not reach the next request.
        await cancel.withLock { $0 }?.value
        resetCancellation()
        return try reply.get()
    }

    /// Lends memory for the announced raw pixels, and waits until the runner has written them.
    ///
    /// - Parameters:
    ///   - use: How the memory may be recycled; `nil` for memory that is sealed.
    ///   - request: The request that announced the pixels.
    ///   - isCancellable: The same as in ``requestPixels(_:_:isCancellable:)``.
    /// - Throws: `HostError`.
    package func takePixels(
        of layout: UncompressedLayout, _ use: PixelBuffers.Use?, for request: RunnerRequest,
        isCancellable: Bool = false
    ) async throws -> UncompressedPixels {
        try accept(layout)
        let buffer = try buffers.take(layout.byteCount, for: use)
        var descriptors = [
            (buffer.isReused ? DescriptorRole.reusedOutput : .output, buffer.memory)
        ]
        // A profile from an untrusted extension would be parsed by the next runner.
        let profile = untrusted == nil ? try OpenFile.runnerMemory("profile") : nil
        if let profile { descriptors.append((.profile, profile)) }
        let isFullSize = request.isFullSize
        let timeout = isFullSize ? timeouts.render : timeouts.interactive
        let lent = descriptors
        let taking: @Sendable () async throws -> RunnerReply = { [self] in
            try await send(.takeOutput, lent, timeout: timeout, isFullSize: isFullSize)
        }
        let reply = try await isCancellable ? endingOnCancel(taking) : taking()
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        // Sealed memory cannot change, even if a process has kept a descriptor.
        if !buffer.isReused, csandbox_seal(buffer.memory.descriptor) != 0 {
            throw violation("it kept a writable mapping of its output")
        }
        guard try buffer.isFilled(layout.byteCount) else {
            throw violation("size mismatch: not as many pixels as announced")
        }
        return UncompressedPixels(
            buffer: buffer, layout: layout, profile: try profile.flatMap(copy(ofProfile:)),
            fullSize: report.fullSize, moment: report.moment)
    }

    /// Takes the sRGB pixels that the runner wrote into memory of no fixed size.
    ///
    /// - Throws: `HostError`.
    package func takePixels(
        in memory: OpenFile, of layout: UncompressedLayout, fullSize: PixelSize?
    ) throws -> UncompressedPixels {
        try accept(layout)
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw violation("it kept a writable mapping of its output")
        }
        guard try memory.byteCount() == layout.byteCount else {
            throw violation("size mismatch: not as many pixels as announced")
        }
        // The runner may keep this memory.
        process.state.withLock { $0.runnerMemory.lend(memory, isInput: false) }
        return UncompressedPixels(
            buffer: PixelBuffers.sealed(memory, layout.byteCount), layout: layout, profile: nil,
            fullSize: fullSize)
    }

    /// Returns a sealed copy of the profile that a runner wrote, or `nil` if it wrote none.
    package func copy(ofProfile file: OpenFile) throws -> OpenFile? {
        let count = try file.byteCount()
        guard count <= Self.maximumProfileBytes else {
            throw violation("a profile of more than 16 MiB")
        }
        guard count > 0 else { return nil }
        let bytes = try file.read(count: count)
        let copy = try OpenFile.memory("profile", holding: bytes)
        guard csandbox_seal(copy.descriptor) == 0 else {
            throw HostError.file("cannot be sealed", path: "a profile")
        }
        return copy
    }

    private static let maximumProfileBytes = 16 << 20

    /// Rejects an announced layout that is too large, before memory is allocated for it.
    ///
    /// - Throws: `HostError` if the pixels exceed the size limit or the memory budget of the runner.
    package func accept(_ layout: UncompressedLayout) throws {
        let what = "a picture of \(layout.width)x\(layout.height)"
        guard Self.isAcceptable(layout) else { throw violation("\(what) is too large") }
        try accept(layout.byteCount, of: what)
    }

    /// Whether an announced layout is within the limits for any runner.
    static func isAcceptable(_ layout: UncompressedLayout) -> Bool {
        let sides = 1...(1 << 20)
        return sides.contains(layout.width) && sides.contains(layout.height)
            && layout.byteCount <= maximumRawBytes
    }

    /// Rejects a size that exceeds the memory budget of the runner.
    fileprivate func accept(_ byteCount: Int, of what: String) throws {
        guard let budget = process.state.withLock({ $0.budget }) else { return }
        let limit = budget.memory.addingReportingOverflow(budget.uncountedOutput)
        guard !limit.overflow, UInt64(clamping: byteCount) > limit.partialValue else { return }
        let setting = untrusted.map {
            "; raise budgets.\($0.manifest.identifier).\(ExtensionBudget.Part.memory.rawValue) "
                + "in the configuration file"
        }
        throw violation(
            "\(what) needs \(byteCount >> 20) MiB, more than the limit of "
                + "\(limit.partialValue >> 20) MiB of memory"
                + (setting ?? ""))
    }

    /// 8 GiB: a gigapixel in 16-bit RGBA.
    private static let maximumRawBytes = 8 << 30

    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - isFullSize: Whether the request works on full-size pixels. The extension's budget may give those more time
    ///     than the timeout.
    ///   - sent: Called when the request has been sent. Requests made after that follow it.
    /// - Throws: `HostError`, for a `failed` reply or the death of the runner.
    package func send(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)] = [],
        timeout: Duration, isFullSize: Bool = false,
        sent: (@Sendable () -> Void)? = nil
    ) async throws -> RunnerReply {
        if case .cancel = request { wasCancelled.withLock { $0 = true } }
        if let reduces = request.reducesPixels { isReducing.withLock { $0 = reduces } }
        do {
            let reply = try await process.request(
                request, descriptors: descriptors, timeout: timeout, isFullSize: isFullSize,
                sent: sent)
            if case .rendered(let report) = reply { note(report) }
            guard case .failed(let reported) = reply else { return reply }
            let failure = attributed(reported)
            // A failed extension may leave its runner in any state.
            if failure.extensionIdentifier != nil,
                ![.badParameter, .cancelled].contains(failure.code)
            {
                process.terminate()
            }
            throw HostError(failure)
        } catch let death as RunnerDeath {
            if let extensions = death.timedOutExtensions, isReducing.withLock({ $0 }) {
                throw HostError(
                    .runnerFailed,
                    "the runner \(death) while it reduced the picture from "
                        + extensions.joined(separator: ", "), underlying: death)
            }
            throw recorded(error(for: death), death.cause)
        }
    }

    private func note(_ report: RenderReport) {
        reportedDecodes.withLock { last in
            let now = DecodeTotals.Counts(
                fullSize: report.fullSizeDecodes, reduced: report.reducedDecodes)
            decodes.add(now, after: last)
            last = now
        }
    }

    package func unexpected(_ reply: RunnerReply) -> HostError {
        violation("the runner sent an unexpected reply: \(String("\(reply)".prefix(200)))")
    }

    // MARK: - Blame

    /// The maximum length of the message of a failure in bytes. Longer messages are truncated.
    private static let maximumMessageBytes = 16 << 10

    /// Terminates the runner, because it broke the protocol.
    package func violation(_ what: String) -> HostError {
        process.terminate()
        guard let untrusted else { return HostError(.runnerFailed, what) }
        let error = HostError(
            .extensionFailed, what, extension: untrusted.manifest.identifier)
        quarantine.recordFailure(of: untrusted, what)
        return error
    }

    /// Converts the death of the runner to an error. An extension that does not share its runner is always to blame: it
    /// may have written the phase that the runner reports, and its runner decodes no picture that could be at fault
    /// instead.
    private func error(for death: RunnerDeath) -> HostError {
        let error = HostError(death)
        guard let untrusted, death.cause != .terminated else { return error }
        let identifier = untrusted.manifest.identifier
        guard error.extensionIdentifier != identifier else { return error }
        return HostError(
            .extensionFailed,
            "the extension \(identifier) \(death)\(HostError.printed(before: death))",
            extension: identifier, underlying: death)
    }

    /// Records the death as a failure of the extension, unless the host terminated the runner.
    private func recorded(_ error: HostError, _ cause: RunnerDeath.Cause) -> HostError {
        guard cause != .terminated, let identifier = error.extensionIdentifier else { return error }
        // Later requests to the dead runner fail for the same cause, and count only once.
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        guard isFirst else { return error }
        let binary = binaries.first { $0.manifest.identifier == identifier }
        if let binary { quarantine.recordFailure(of: binary, error.message) }
        return error
    }

    /// Returns the failure with the untrusted extension as its cause. If an untrusted extension has the runner, its
    /// reports about other extensions, pictures or unrequested cancellations are ignored.
    private func attributed(_ failure: RunnerFailure) -> RunnerFailure {
        var failure = failure
        if failure.message.utf8.count > Self.maximumMessageBytes {
            failure.message = String(
                decoding: failure.message.utf8.prefix(Self.maximumMessageBytes), as: UTF8.self)
        }
        guard let untrusted else { return failure }
        switch failure.code {
        case .cancelled where wasCancelled.withLock { $0 }, .badRequest:
            failure.extensionIdentifier = nil
            return failure
        case .badInput, .blockedFormat, .tooLarge, .cancelled, .diskFull:
            failure.code = .extensionFailed
        default: break
        }
        failure.extensionIdentifier = untrusted.manifest.identifier
        return failure
    }

    /// Records that the extensions of the runner have completed a request.
    package func recordSuccess() {
        for binary in binaries { quarantine.recordSuccess(of: binary) }
    }
}

extension RunnerRequest {
    /// Whether the request works on full-size pixels, which have a longer timeout.
    fileprivate var isFullSize: Bool {
        switch self {
        case .preview: false
        default: true
        }
    }

    /// Whether the runner reduces the pixels that an extension computes; `nil` keeps the value of the previous
    /// request.
    fileprivate var reducesPixels: Bool? {
        guard case .run(let job) = self else {
            if case .takeOutput = self { return nil }
            return false
        }
        switch job.output {
        case .encoded(let settings): return settings.size != nil
        case .image, .reducedRaw: return true
        case .facts, .raw, .quality: return false
        }
    }
}

extension Runner {
    /// Takes the file that an extension wrote as its output. The runner has kept it open since the extension
    /// announced it.
    ///
    /// The copy is limited by the output budget, and by the memory budget because holes in the file take memory when
    /// they are read. The copy is sealed.
    ///
    /// - Throws: `HostError`.
    package func takeWrittenFile() async throws -> OpenFile {
        let room = process.state.withLock { $0.budget }
            .map { Int(clamping: min($0.memory, $0.outputBytes)) }
        let memory = try OpenFile.runnerMemory("rendered file", room: room)
        let reply = try await send(
            .takeFile, [(.output, memory)], timeout: timeouts.render, isFullSize: true)
        guard case .done = reply else { throw unexpected(reply) }
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw violation("it kept a writable mapping of its output")
        }
        // Holes take no memory until they are read.
        try accept(try memory.byteCount(), of: "its output file")
        // So far, the file counted with its current content. The runner may keep it, so it counts in full from now on.
        let file = try memory.readOnly()
        process.state.withLock { $0.runnerMemory.lend(file, isInput: false) }
        return file
    }
}
