// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// A runner that somebody has to himself for a while, and what can be asked of it.
///
/// What goes wrong in it comes out as a `HostError` that names the extension concerned.
final class Runner: Sendable {
    let process: RunnerProcess
    let deadlines: RunnerDeadlines

    init(process: RunnerProcess, deadlines: RunnerDeadlines) {
        self.process = process
        self.deadlines = deadlines
    }

    /// Loads an extension from the bytes that were hashed.
    ///
    /// - Throws: `HostError` with `unusableExtension` or `extensionFailed`.
    func load(_ binary: ExtensionBinary) async throws {
        let reply = try await ask(
            .load(LoadedExtension(binary.manifest)), [(.library, binary.memory)],
            deadline: deadlines.load)
        guard case .loaded = reply else { throw unexpected(reply) }
    }

    /// Runs a job.
    ///
    /// - Parameters:
    ///   - base: the bytes of the job's base, read only.
    ///   - metadataSource: the original, for an encoded output and for the base's profile.
    /// - Throws: `HostError`.
    func run(
        _ job: RenderJob, base: OwnedDescriptor, metadataSource: OwnedDescriptor? = nil
    ) async throws -> JobResult {
        var descriptors = [(DescriptorRole.base, base)]
        if let metadataSource { descriptors.append((.metadataSource, metadataSource)) }
        return try await output(of: .run(job), for: job.output, descriptors)
    }

    /// Sends a request that ends in output, and goes along until the output is there.
    func output(
        of request: RunnerRequest, for output: RenderOutput,
        _ descriptors: [(DescriptorRole, OwnedDescriptor)] = []
    ) async throws -> JobResult {
        var descriptors = descriptors
        var memory: OwnedDescriptor?
        if case .encoded = output {
            let made = try OwnedDescriptor.memory("output")
            descriptors.append((.output, made))
            memory = made
        }
        switch try await ask(request, descriptors, deadline: deadlines.render) {
        case .rendered(let report):
            return .rendered(RenderedOutput(bytes: memory, layout: nil, report: report))
        case .fileWritten(let step, let file):
            return .fileWritten(step: step, file)
        case .outputNeeded(let layout):
            return .rendered(try await takeRaw(layout))
        case let reply:
            throw unexpected(reply)
        }
    }

    private func takeRaw(_ layout: RawLayout) async throws -> RenderedOutput {
        guard Self.isAcceptable(layout) else {
            process.terminate()
            throw HostError(
                .extensionFailed, "a picture of \(layout.width)x\(layout.height) is too large")
        }
        let memory = try OwnedDescriptor.memory("pixels")
        let reply = try await ask(.takeOutput, [(.output, memory)], deadline: deadlines.render)
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        guard try memory.size() == layout.byteCount else {
            process.terminate()
            throw HostError(.runnerFailed, "the pixels are not as many as announced")
        }
        return RenderedOutput(bytes: memory, layout: layout, report: report)
    }

    /// Whether memory is made for pixels of a layout that a runner announced.
    static func isAcceptable(_ layout: RawLayout) -> Bool {
        let sides = 1...(1 << 20)
        return sides.contains(layout.width) && sides.contains(layout.height)
            && layout.byteCount <= maximumRawBytes
    }

    /// 8 GiB: a gigapixel in 16-bit RGBA.
    private static let maximumRawBytes = 8 << 30

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: `HostError`: the runner's `failed`, or its death.
    func ask(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OwnedDescriptor)] = [],
        deadline: Duration
    ) async throws -> RunnerReply {
        do {
            let reply = try await process.request(
                request, descriptors: descriptors, deadline: deadline)
            guard case .failed(let failure) = reply else { return reply }
            // An extension that failed may have left anything behind.
            if failure.extensionIdentifier != nil,
                ![.badParameter, .cancelled].contains(failure.code)
            {
                process.terminate()
            }
            throw HostError(failure)
        } catch let death as RunnerDeath {
            throw HostError(death)
        }
    }

    func unexpected(_ reply: RunnerReply) -> HostError {
        process.terminate()
        return HostError(.runnerFailed, "the runner gave an answer that does not fit: \(reply)")
    }
}
