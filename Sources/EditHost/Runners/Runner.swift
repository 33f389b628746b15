// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// A runner that one caller has exclusively for a while, and what can be asked of it.
///
/// What goes wrong in it comes out as a `HostError` that names the extension concerned.
final class Runner: Sendable {
    let process: RunnerProcess
    let deadlines: RunnerDeadlines
    private let quarantine: Quarantine
    private let buffers: PixelBuffers
    private let decodes: DecodeTotals
    private let reportedDecodes = Mutex(DecodeTotals.Counts())
    private let loaded = Mutex<[ExtensionBinary]>([])
    private let hasFailed = Mutex(false)
    private let wasCancelled = Mutex(false)
    /// The library that it works for at present.
    private let servedLibrary = Mutex<String?>(nil)
    /// Whether the pixels that are asked for are made smaller by the runner itself.
    private let isReducing = Mutex(false)

    init(
        process: RunnerProcess, deadlines: RunnerDeadlines, quarantine: Quarantine,
        buffers: PixelBuffers, decodes: DecodeTotals = DecodeTotals()
    ) {
        self.process = process
        self.deadlines = deadlines
        self.quarantine = quarantine
        self.buffers = buffers
        self.decodes = decodes
    }

    /// The untrusted extension, which has the runner to itself.
    private var isolated: ExtensionBinary? { binaries.first { !$0.isTrusted } }

    /// What it has loaded, for the library that it works for.
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
    /// - Throws: `HostError` with `unusableExtension`, `sandboxUnavailable` or
    ///   `extensionFailed`.
    func load(_ binary: ExtensionBinary) async throws {
        try quarantine.requireNotQuarantined(binary)
        loaded.withLock { $0.append(binary) }
        var description = LoadedExtension(binary.manifest, files: binary.files.ranges)
        if binary.isUnknown { description.isUnknown = true }
        let reply = try await ask(
            .load(description),
            [(.library, binary.memory)] + (binary.files.memory.map { [(.files, $0)] } ?? []),
            deadline: deadlines.load)
        guard case .loaded = reply else { throw unexpected(reply) }
    }

    /// Whether a question has been answered.
    private final class Progress: Sendable {
        private let isOver = Mutex(false)
        var hasEnded: Bool { isOver.withLock { $0 } }
        func end() { isOver.withLock { $0 = true } }
    }

    /// Forgets what was asked before.
    ///
    /// - Parameter library: the folder of the library that it works for from now on.
    func beginLease(for library: String?) {
        servedLibrary.withLock { $0 = library }
        resetCancellation()
    }

    private func resetCancellation() { wasCancelled.withLock { $0 = false } }

    /// Asks for pixels, in the time that such requests have.
    ///
    /// - Parameter isCancellable: when the task is cancelled, the runner is told so and lives on.
    /// - Throws: `HostError`.
    func askForPixels(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)],
        isCancellable: Bool = false
    ) async throws -> RunnerReply {
        let isFullSize = request.isFullSize
        let deadline = isFullSize ? deadlines.render : deadlines.interactive
        if isCancellable, Task.isCancelled {
            throw HostError(.cancelled, "the request was cancelled")
        }
        guard isCancellable else {
            return try await ask(
                request, descriptors, deadline: deadline, isFullSize: isFullSize)
        }
        return try await endingOnCancel { [self] in
            try await ask(request, descriptors, deadline: deadline, isFullSize: isFullSize)
        }
    }

    /// Carries out a question out of reach of the task's cancellation, for which the runner would be
    /// killed, and has the runner end it by message then.
    private func endingOnCancel(
        _ question: @escaping @Sendable () async throws -> RunnerReply
    ) async throws -> RunnerReply {
        let executor = WaitingThread.executor
        let progress = Progress()
        let asked = Task.detached(executorPreference: executor) {
            defer { progress.end() }
            return try await question()
        }
        let cancel = Mutex<Task<Void, Never>?>(nil)
        let reply = await withTaskCancellationHandler {
            await asked.result
        } onCancel: {
            cancel.withLock { cancel in
                cancel = Task.detached(executorPreference: executor) { [self] in
                    // It may not have begun yet, and then it cannot be ended.
                    while !progress.hasEnded,
                        (try? await ask(.cancel, deadline: deadlines.canHandle)) == nil
                    {
                        try? await Task.sleep(for: .milliseconds(2))
                    }
                }
            }
        }
        // The message must not reach what the next one asks.
        await cancel.withLock { $0 }?.value
        resetCancellation()
        return try reply.get()
    }

    /// Gives the memory for raw pixels that the runner has announced, and waits until they are in it.
    ///
    /// - Parameters:
    ///   - use: what the memory may be used again for; nil: it is sealed.
    ///   - request: what the pixels answer.
    ///   - isCancellable: as in ``askForPixels(_:_:isCancellable:)``.
    /// - Throws: `HostError`.
    func takePixels(
        of layout: RawLayout, _ use: PixelBuffers.Use?, for request: RunnerRequest,
        isCancellable: Bool = false
    ) async throws -> RawOutput.Picture {
        try accept(layout)
        let buffer = try buffers.take(layout.byteCount, for: use)
        var descriptors = [
            (buffer.isReused ? DescriptorRole.reusedOutput : .output, buffer.memory)
        ]
        // What such a runner says the profile is would be parsed by the next.
        let profile = isolated == nil ? try OpenFile.lentMemory("profile") : nil
        if let profile { descriptors.append((.profile, profile)) }
        let isFullSize = request.isFullSize
        let deadline = isFullSize ? deadlines.render : deadlines.interactive
        let lent = descriptors
        let taking: @Sendable () async throws -> RunnerReply = { [self] in
            try await ask(.takeOutput, lent, deadline: deadline, isFullSize: isFullSize)
        }
        let reply = try await isCancellable ? endingOnCancel(taking) : taking()
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        // From here on nobody changes them, whoever kept a descriptor.
        if !buffer.isReused, csandbox_seal(buffer.memory.descriptor) != 0 {
            throw violation("it kept a writable mapping of its output")
        }
        guard try buffer.isFilled(layout.byteCount) else {
            throw violation("size mismatch: not as many pixels as announced")
        }
        return RawOutput.Picture(
            buffer: buffer, layout: layout, profile: try profile.flatMap(copy(ofProfile:)),
            fullSize: report.fullSize, moment: report.moment)
    }

    /// Takes the pixels that the runner wrote into memory that had no size when it was lent. They are in sRGB.
    ///
    /// - Throws: `HostError`.
    func takePixels(
        in memory: OpenFile, of layout: RawLayout, fullSize: PixelSize?
    ) throws -> RawOutput.Picture {
        try accept(layout)
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw violation("it kept a writable mapping of its output")
        }
        guard try memory.byteCount() == layout.byteCount else {
            throw violation("size mismatch: not as many pixels as announced")
        }
        // The runner may keep what it has now.
        process.state.withLock { $0.lent.lend(memory, isInput: false) }
        return RawOutput.Picture(
            buffer: PixelBuffers.sealed(memory, layout.byteCount), layout: layout, profile: nil,
            fullSize: fullSize)
    }

    /// What a runner wrote as the profile, where nobody can change it; nil where it wrote none.
    func copy(ofProfile file: OpenFile) throws -> OpenFile? {
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

    /// Refuses pixels of a layout that the runner announced, before memory is made for them.
    ///
    /// - Throws: `HostError` if they are more than the limit, or than its budget has memory for.
    func accept(_ layout: RawLayout) throws {
        let what = "a picture of \(layout.width)x\(layout.height)"
        guard Self.isAcceptable(layout) else { throw violation("\(what) is too large") }
        try accept(layout.byteCount, of: what)
    }

    /// Whether memory is ever made for pixels of a layout that a runner announced.
    static func isAcceptable(_ layout: RawLayout) -> Bool {
        let sides = 1...(1 << 20)
        return sides.contains(layout.width) && sides.contains(layout.height)
            && layout.byteCount <= maximumRawBytes
    }

    /// Refuses what takes more memory than the runner's budget has.
    fileprivate func accept(_ byteCount: Int, of what: String) throws {
        guard let budget = process.state.withLock({ $0.budget }) else { return }
        let limit = budget.memory.addingReportingOverflow(budget.uncountedOutput)
        guard !limit.overflow, UInt64(clamping: byteCount) > limit.partialValue else { return }
        let setting = isolated.map {
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

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - isFullSize: it works on full-size pixels, for which the extension's budget may give more time than the
    ///     deadline.
    ///   - sent: called when the request has been sent; what is asked from then on comes after it.
    /// - Throws: `HostError`: the runner's `failed`, or its death.
    func ask(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)] = [],
        deadline: Duration, isFullSize: Bool = false,
        sent: (@Sendable () -> Void)? = nil
    ) async throws -> RunnerReply {
        if case .cancel = request { wasCancelled.withLock { $0 = true } }
        if let reduces = request.reducesPixels { isReducing.withLock { $0 = reduces } }
        do {
            let reply = try await process.request(
                request, descriptors: descriptors, deadline: deadline, isFullSize: isFullSize,
                sent: sent)
            if case .rendered(let report) = reply { note(report) }
            guard case .failed(let said) = reply else { return reply }
            let failure = attributed(said)
            // An extension that failed may have left anything behind.
            if failure.extensionIdentifier != nil,
                ![.badParameter, .cancelled].contains(failure.code)
            {
                process.terminate()
            }
            throw HostError(failure)
        } catch let death as RunnerDeath {
            if death.isOfReducing, isReducing.withLock({ $0 }) {
                throw HostError(
                    .runnerFailed, "the runner \(death) while reducing the picture",
                    underlying: death)
            }
            throw recorded(blamed(death), death.cause)
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

    func unexpected(_ reply: RunnerReply) -> HostError {
        violation("the runner sent an unexpected reply: \(String("\(reply)".prefix(200)))")
    }

    // MARK: - Blame

    /// Ends the runner, because what it sent is not what was agreed.
    func violation(_ what: String) -> HostError {
        process.terminate()
        guard let isolated else { return HostError(.runnerFailed, what) }
        let error = HostError(
            .extensionFailed, what, extension: isolated.manifest.identifier)
        quarantine.recordFailure(of: isolated, what)
        return error
    }

    /// The end of the runner as an error. An extension that has it to itself is to blame for it,
    /// whatever the runner says that it was doing: that may be the extension's own word, and no
    /// picture is decoded there that could be to blame instead.
    private func blamed(_ death: RunnerDeath) -> HostError {
        let error = HostError(death)
        guard let isolated, death.cause != .terminated else { return error }
        let identifier = isolated.manifest.identifier
        guard error.extensionIdentifier != identifier else { return error }
        return HostError(
            .extensionFailed, "the extension \(identifier) \(death)", extension: identifier,
            underlying: death)
    }

    /// Counts the end against the extension, unless the host wanted it.
    private func recorded(_ error: HostError, _ cause: RunnerDeath.Cause) -> HostError {
        guard cause != .terminated, let identifier = error.extensionIdentifier else { return error }
        // What is asked of it after its end fails of the same cause.
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        guard isFirst else { return error }
        let binary = binaries.first { $0.manifest.identifier == identifier }
        if let binary { quarantine.recordFailure(of: binary, error.message) }
        return error
    }

    /// A failure as it is to be understood: where an extension has the runner to itself, what is said
    /// of others, of pictures, or of a cancel that nobody wanted may be its own word.
    private func attributed(_ failure: RunnerFailure) -> RunnerFailure {
        guard let isolated else { return failure }
        var failure = failure
        switch failure.code {
        case .cancelled where wasCancelled.withLock { $0 }, .badRequest:
            failure.extensionIdentifier = nil
            return failure
        case .badInput, .blockedFormat, .tooLarge, .cancelled, .diskFull:
            failure.code = .extensionFailed
        default: break
        }
        failure.extensionIdentifier = isolated.manifest.identifier
        return failure
    }

    /// Its extensions have done what they were asked to.
    func recordSuccess() {
        for binary in binaries { quarantine.recordSuccess(of: binary) }
    }
}

extension RunnerRequest {
    /// Whether it works on full-size pixels, which have more time than others.
    fileprivate var isFullSize: Bool {
        switch self {
        case .preview: false
        default: true
        }
    }

    /// Whether the runner makes the pixels smaller that an extension computes; nil: as the request before.
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
    /// Takes the file that an extension wrote as its output. The runner has held it open since the
    /// extension announced it, and copies no more than was written, which its budget for output
    /// bounds: no more either than its budget for memory, because holes of the file take memory when it is read.
    /// The copy cannot be changed.
    ///
    /// - Throws: `HostError`.
    func takeWrittenFile() async throws -> OpenFile {
        let room = process.state.withLock { $0.budget }
            .map { Int(clamping: min($0.memory, $0.outputBytes)) }
        let memory = try OpenFile.lentMemory("rendered file", room: room)
        let reply = try await ask(
            .takeFile, [(.output, memory)], deadline: deadlines.render, isFullSize: true)
        guard case .done = reply else { throw unexpected(reply) }
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw violation("it kept a writable mapping of its output")
        }
        // Holes take no room until they are read.
        try accept(try memory.byteCount(), of: "its output file")
        // It was counted by what was in it; the runner may keep that.
        let file = try memory.readOnly()
        process.state.withLock { $0.lent.lend(file, isInput: false) }
        return file
    }
}
