// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import RunnerSupport

/// The worker that performs requests in sequence on its own thread.
final class MediaWorker {
    private let connection: Connection
    private let phases: PhaseReporter
    private let threads = getenv("VIPS_CONCURRENCY").flatMap { Int(String(cString: $0)) } ?? 1
    /// A decoded frame, held until the host provides memory for it.
    private var picture: (FramePicture, FrameIdentity)?
    /// The open video that is read frame by frame, with its first frame until it is requested.
    private var reading: (reader: VideoReader, first: FrameTime?)?
    /// The open sound of that video.
    private var sound: SoundReader?
    private var writer: VideoWriter?
    private let mappings = PixelMappings()
    private var decodes = 0

    init(connection: Connection, phases: PhaseReporter) {
        self.connection = connection
        self.phases = phases
    }

    /// Performs requests forever.
    func run(_ queue: RequestQueue) {
        while true { handle(queue.next()) }
    }

    private func handle(_ received: ReceivedRequest) {
        let reply: RunnerReply
        do {
            reply = try answer(received)
        } catch {
            reply = .failed(error)
        }
        phases.end()
        connection.reply(reply, to: received.number, outbox: received.optional(.outbox))
    }

    private func answer(_ received: ReceivedRequest) throws(RunnerFailure) -> RunnerReply {
        switch received.request {
        case .run(let job): return try run(job, received)
        case .takeOutput: return try takeOutput(received)
        case .openVideo(let height): return try openVideo(height, received)
        case .seek(let seconds):
            guard let reader = reading?.reader else {
                throw RunnerFailure(code: .badRequest, message: "no video is open")
            }
            phases.enter(.decoding)
            let time = try reader.frame(at: seconds)
            reading = (reader, time)
            return .frame(time)
        case .readFrame: return .frame(try readFrame(received))
        case .decodeFrames(let limit): return .decoded(try decodeFrames(limit))
        case .openSound: return .soundOpened(try openSound(received))
        case .readSound(let first, let count):
            guard let sound else {
                throw RunnerFailure(code: .badRequest, message: "no sound is open")
            }
            phases.enter(.decoding)
            try sound.read(
                first, count: count, into: try mapping(.reusedOutput, received, isWritable: true))
            return .done
        case .beginVideo(let writing):
            writer = nil
            writer = try VideoWriter(writing, received)
            return .done
        case .writeFrame(let time, let layout):
            try openWriter().write(
                try mapping(.reusedBase, received, isWritable: false), layout, time)
            return .done
        case .endVideo(let time): return try endVideo(at: time)
        case .copyVideo(let copying):
            return .copied(try VideoCopy.run(copying, received))
        case .findLosses(let format):
            let reader = try VideoReader(try received.descriptor(.base), threads: threads)
            return .losses(try reader.losses(in: format))
        case .playsInBrowsers:
            let reader = try VideoReader(try received.descriptor(.base), threads: threads)
            return .answer(reader.playsInBrowsers)
        default:
            throw RunnerFailure(
                code: .badRequest, message: "the media runner does not support this request")
        }
    }

    private func run(
        _ job: RenderJob, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        picture = nil
        guard case .encoded(let format) = job.input.base, job.input.steps.isEmpty else {
            throw RunnerFailure(
                code: .badRequest, message: "the media runner opens only videos, without edits")
        }
        phases.enter(.decoding)
        let file = try received.descriptor(.base)
        let reader = try VideoReader(file, threads: threads)
        var side: Int?
        switch job.output {
        case .facts: return try describe(reader, format)
        case .raw: break
        case .reducedRaw(let longerSide): side = longerSide
        default:
            throw RunnerFailure(
                code: .badRequest, message: "the media runner returns only facts and raw pixels")
        }
        decodes += 1
        let time =
            if let seconds = job.input.time { try reader.frame(at: seconds) } else {
                try firstFrame(of: reader)
            }
        let decoded = try reader.picture(longerSide: side)
        picture = (decoded, FrameIdentity(try reader.timing(), time))
        return .outputNeeded(decoded.layout)
    }

    private func describe(
        _ reader: VideoReader, _ format: MediaFormat
    ) throws(RunnerFailure) -> RunnerReply {
        var warnings: [String] = []
        var facts = try reader.photoFacts(format, warnings: &warnings)
        let elsewhere = try reader.requireVideoTrack()
        warnings += elsewhere
        if elsewhere.isEmpty, let truncationWarning = reader.truncationWarning {
            warnings.append(truncationWarning)
        }
        // A video must have at least one frame that can be decoded and converted.
        decodes += 1
        _ = try firstFrame(of: reader)
        facts.creationDate = facts.creationDate ?? reader.recordingDate
        _ = try reader.picture(longerSide: 64)
        return .rendered(
            RenderReport(
                width: facts.pixelWidth, height: facts.pixelHeight, byteCount: 0, facts: facts,
                fullSizeDecodes: decodes, warnings: warnings))
    }

    private func takeOutput(_ received: ReceivedRequest) throws(RunnerFailure) -> RunnerReply {
        guard let (picture, moment) = picture else {
            throw RunnerFailure(code: .badRequest, message: "no raw output is waiting")
        }
        self.picture = nil
        var room = received.optional(.reusedOutput)
        if room == nil { room = try received.descriptor(.output) }
        guard let room,
            (try? picture.pixels.withUnsafeBytes({ try room.write($0, at: 0) })) != nil
        else {
            throw RunnerFailure(code: .outputFailed, message: "the pixels cannot be written")
        }
        var report = RenderReport(
            width: picture.layout.width, height: picture.layout.height,
            fullSize: picture.fullSize, byteCount: picture.layout.byteCount, facts: nil,
            fullSizeDecodes: decodes)
        report.moment = moment
        return .rendered(report)
    }

    private func firstFrame(
        of reader: VideoReader, looksAhead: Bool = false
    ) throws(RunnerFailure) -> FrameTime {
        guard let first = try reader.next(looksAhead: looksAhead) else {
            throw reader.noFrames
        }
        return first
    }

    // MARK: - Frame by frame

    private func openVideo(
        _ height: Int?, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        reading = nil
        sound = nil
        phases.enter(.decoding)
        let reader = try VideoReader(try received.descriptor(.base), threads: threads)
        var warnings: [String] = []
        _ = try reader.photoFacts(.video, warnings: &warnings)
        warnings += try reader.requireVideoTrack()
        warnings += reader.trackLosses
        if reader.hasAlpha {
            warnings.append("its transparency is lost")
        }
        let fullSize = try reader.size()
        let size = try reader.reduce(toHeight: height)
        let first = try firstFrame(of: reader, looksAhead: true)
        reading = (reader, first)
        return .videoOpened(
            OpenedVideo(
                layout: UncompressedLayout(
                    width: size.width, height: size.height, pixelFormat: .rgb8, profile: .sRGB),
                fullSize: fullSize, timing: try reader.timing(), first: first.timestamp,
                warnings: warnings + reader.warnings, stillTime: reader.stillTime(.quickTime)))
    }

    private func readFrame(_ received: ReceivedRequest) throws(RunnerFailure) -> FrameTime? {
        guard let (reader, first) = reading else {
            throw RunnerFailure(code: .badRequest, message: "no video is open")
        }
        phases.enter(.decoding)
        reading?.first = nil
        let time = if let first { first } else { try reader.next(looksAhead: true) }
        guard let time else { return nil }
        try reader.write(to: try mapping(.reusedOutput, received, isWritable: true))
        return time
    }

    private func openSound(_ received: ReceivedRequest) throws(RunnerFailure) -> SoundFormat? {
        guard let reader = reading?.reader else {
            throw RunnerFailure(code: .badRequest, message: "no video is open")
        }
        phases.enter(.decoding)
        sound = SoundReader(
            try received.descriptor(.base), origin: -(try reader.timing().seconds(0)))
        return sound?.format
    }

    private func decodeFrames(_ limit: Int) throws(RunnerFailure) -> DecodedFrames {
        guard let (reader, first) = reading else {
            throw RunnerFailure(code: .badRequest, message: "no video is open")
        }
        phases.enter(.decoding)
        reading?.first = nil
        var count = first == nil ? 0 : 1
        while count < limit, try reader.next() != nil { count += 1 }
        return DecodedFrames(
            count: count, damagedCount: reader.damagedCount, lossCount: reader.lossCount,
            missing: count < limit ? reader.missing : 0, notes: reader.notes)
    }

    private func endVideo(at time: Int64?) throws(RunnerFailure) -> RunnerReply {
        // One request flushes one packet, because the host repeats the request with a new deadline. All the packets
        // that an encoder has held back can take longer than one deadline.
        guard let report = try openWriter().end(at: time) else { return .done }
        writer = nil
        return .rendered(report)
    }

    private func openWriter() throws(RunnerFailure) -> VideoWriter {
        guard let writer else {
            throw RunnerFailure(code: .badRequest, message: "no video is being written")
        }
        return writer
    }

    private func mapping(
        _ role: DescriptorRole, _ received: ReceivedRequest, isWritable: Bool
    ) throws(RunnerFailure) -> UnsafeMutableRawBufferPointer {
        let file = try received.descriptor(role)
        guard let mapping = mappings.mapping(of: file, isWritable: isWritable) else {
            throw RunnerFailure(code: .badRequest, message: "the pixels cannot be mapped")
        }
        return mapping.memory
    }
}
