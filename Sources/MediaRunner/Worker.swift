// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import RunnerSupport

/// Carries out requests, one after the other, on a thread of its own.
final class Worker {
    private let connection: Connection
    private let phases: PhaseReporter
    private let threads = getenv("VIPS_CONCURRENCY").flatMap { Int(String(cString: $0)) } ?? 1
    /// A picture that waits for memory to be written into.
    private var picture: FramePicture?
    private var decodes = 0

    init(connection: Connection, phases: PhaseReporter) {
        self.connection = connection
        self.phases = phases
    }

    /// Carries out requests for ever.
    func run(_ queue: RequestQueue) {
        while true { handle(queue.next()) }
    }

    private func handle(_ incoming: Incoming) {
        let reply: RunnerReply
        do {
            reply = try answer(incoming)
        } catch {
            reply = .failed(error)
        }
        phases.end()
        connection.reply(reply, to: incoming.number, outbox: incoming.optional(.outbox))
    }

    private func answer(_ incoming: Incoming) throws(RunnerFailure) -> RunnerReply {
        switch incoming.request {
        case .run(let job): return try run(job, incoming)
        case .takeOutput: return try takeOutput(incoming)
        default:
            throw RunnerFailure(
                code: .badRequest, message: "this request is not one for the media runner")
        }
    }

    private func run(
        _ job: RenderJob, _ incoming: Incoming
    ) throws(RunnerFailure) -> RunnerReply {
        picture = nil
        guard case .encoded(let format) = job.input.base, job.input.steps.isEmpty else {
            throw RunnerFailure(
                code: .badRequest, message: "the media runner opens videos, without edits")
        }
        phases.enter(.decoding)
        let file = try incoming.descriptor(.base)
        let reader = try VideoReader(file, threads: threads)
        var side: Int?
        switch job.output {
        case .facts: return try describe(reader, format)
        case .raw: break
        case .reducedRaw(let longerSide): side = longerSide
        default:
            throw RunnerFailure(
                code: .badRequest, message: "the media runner gives facts and raw pixels")
        }
        decodes += 1
        let drawn = try reader.firstPicture(longerSide: side)
        picture = drawn
        return .outputNeeded(drawn.layout)
    }

    private func describe(
        _ reader: VideoReader, _ format: MediaFormat
    ) throws(RunnerFailure) -> RunnerReply {
        var warnings: [String] = []
        let facts = try reader.photoFacts(format, warnings: &warnings)
        // What nobody can look at is not worth keeping as a video.
        decodes += 1
        _ = try reader.firstPicture(longerSide: 64)
        return .rendered(
            RenderReport(
                width: facts.pixelWidth, height: facts.pixelHeight, byteCount: 0, facts: facts,
                fullSizeDecodes: decodes, warnings: warnings))
    }

    private func takeOutput(_ incoming: Incoming) throws(RunnerFailure) -> RunnerReply {
        guard let picture else {
            throw RunnerFailure(code: .badRequest, message: "no raw output is waiting")
        }
        self.picture = nil
        var room = incoming.optional(.reusedOutput)
        if room == nil { room = try incoming.descriptor(.output) }
        guard let room,
            (try? picture.pixels.withUnsafeBytes({ try room.write($0, at: 0) })) != nil
        else {
            throw RunnerFailure(code: .outputFailed, message: "the pixels cannot be written")
        }
        return .rendered(
            RenderReport(
                width: picture.layout.width, height: picture.layout.height,
                fullSize: picture.fullSize, byteCount: picture.layout.byteCount, facts: nil,
                fullSizeDecodes: decodes))
    }
}
