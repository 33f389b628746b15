// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

/// Renders a video: each frame goes from the decoder through the extensions to the encoder, which all work
/// at the same time, on frames that follow one another.
struct VideoRendering: Sendable {
    let renderer: Renderer
    let plan: StatePlan
    let settings: EncodeSettings
    let video: VideoSettings
    let work: VideoWork
    /// What a program does with the frames, after the extensions.
    var program: ProgramStage.Processor?
    /// What the sound is multiplied by; nil: it stays as it is.
    var volume: Double?
    /// The height that frames are reduced to before they are edited, in pixels; nil: they are edited as they are.
    var readHeight: Int?

    private var pool: RunnerPool { renderer.pool }

    /// Renders the video into a file beside the library's.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset; `LibraryError`.
    func run() async throws -> EncodedOutput.Picture {
        // Each takes several runners and uses all cores: two at once would wait for one another.
        try await pool.videoTurns.take {
            let runners = try await VideoRunners(pool, plan.steps)
            do {
                let picture = try await render(with: runners)
                await runners.giveBack()
                return picture
            } catch {
                await runners.end()
                throw error
            }
        }
    }

    private func render(with runners: VideoRunners) async throws -> EncodedOutput.Picture {
        let base = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
        let reader = VideoFrameReader(runner: runners.decoder, buffers: pool.buffers)
        // What is edited is reduced behind the edits, which may turn and crop it.
        let isEdited = !plan.steps.isEmpty || program != nil
        let height = readHeight ?? (isEdited ? nil : video.height)
        let opened = try await reader.open(base.bytes, height: height)
        let range = try await VideoRange(opened.timing, runners.stages)
        if let copy = try await copy(base, opened, range, by: runners.encoder) { return copy }
        let groups = range.drawing
        var stages: [any VideoStage] = []
        var hops = [try reader.buffers(for: opened.layout, readBy: groups.first?.group)]
        defer { for buffer in hops.joined() { pool.buffers.giveBack(buffer) } }

        // The first frame tells the sizes of all others.
        guard let first = try await reader.first(of: range, into: hops[0][0]) else {
            throw HostError(.badInput, "the video has no frames, or none is left")
        }
        var frame = Frame(buffer: hops[0][0], layout: opened.layout, time: first)
        var source = FrameSource(reader: reader, range: range, layout: opened.layout, last: first)
        let scale =
            Double(opened.layout.width) / Double(max(1, plan.stillWidth ?? opened.fullSize.width))
        for (index, (group, timing, wanted)) in groups.enumerated() {
            let isLast = index == groups.count - 1
            let stage = FrameStage(
                renderer: renderer, plan: plan, group: group, timing: timing,
                wanted: wanted == timing ? nil : wanted, start: opened.timing.start,
                input: frame.layout, reader: isLast ? nil : groups[index + 1].group, scale: scale)
            frame = try await source.open(stage, with: frame, behind: &stages, &hops)
        }
        if let program {
            let stage = ProgramStage(
                program, input: frame.layout, timing: range.kept, scale: scale,
                buffers: pool.buffers)
            frame = try await source.open(stage, with: frame, behind: &stages, &hops)
        }
        let file = try makeFile()
        let writer = VideoFrameWriter(runner: runners.encoder, layout: frame.layout)
        var writing = VideoWriting(
            settings: video, format: settings.format, width: frame.layout.width,
            height: frame.layout.height, timing: opened.timing)
        let start = range.start(of: frame.time, isFirst: first.timestamp == opened.first)
        if range.isPart {
            writing.partStart = start
            let end = range.kept.start.addingReportingOverflow(range.kept.duration)
            writing.partEnd = end.overflow ? nil : end.partialValue
        }
        writing.volume = volume
        try await writer.begin(writing, source: base.bytes, file)
        try await writer.write(frame)
        let queues = hops.enumerated().map { index, buffers in
            // What was put last is the stage's until the next one is.
            let isHeld = stages.indices.contains(index) && stages[index].makesFrames
            return FrameQueue(buffers, holdingFirst: isHeld)
        }
        let last = try await pump(source, stages, writer, queues) ?? source.last
        // Of a part, what comes behind it does not matter.
        let damage = try await reader.decode(range.isPart ? 0 : 1)
        try damage.requireEnd()
        for stage in stages {
            try await stage.close()
            stage.giveBack()
        }
        let isMade = stages.contains { $0.makesFrames }
        let report = try await writer.end(at: isMade ? range.end(through: last) : nil)
        try renderer.requireUnchangedOriginal(of: plan)
        var picture = EncodedOutput.Picture(
            bytes: file, byteCount: try file.byteCount(),
            size: PixelSize(width: report.width, height: report.height),
            omissions: opened.warnings + damage.warnings + stages.flatMap(\.warnings)
                + report.warnings)
        if range.isPart {
            picture.duration =
                isMade
                ? range.kept.length
                : opened.timing.seconds(from: FrameTime(timestamp: start), through: last)
        } else if plan.base != plan.original, opened.timing.duration > 0 {
            // What lies below may be shorter than the original.
            picture.duration = opened.timing.length
        }
        return picture
    }

    /// What is exported may come from a library that nobody writes to.
    private func makeFile() throws -> OpenFile {
        try renderer.purpose == .copying ? .unnamed() : renderer.library.makeTemporaryFile()
    }

    /// Copies a part of which no frame changes; nil where it has to be encoded.
    private func copy(
        _ base: Renderer.Base, _ opened: OpenedVideo, _ range: VideoRange, by runner: Runner
    ) async throws -> EncodedOutput.Picture? {
        guard video.copiesGroups == true, range.isPart, range.drawing.isEmpty, program == nil,
            volume == nil, video.height == nil, readHeight == nil
        else { return nil }
        let file = try makeFile()
        let copying = VideoCopying(format: settings.format, part: range.kept)
        guard let copied = try await runner.copy(copying, from: base.bytes, to: file) else {
            return nil
        }
        try work.check()
        try renderer.requireUnchangedOriginal(of: plan)
        var picture = EncodedOutput.Picture(
            bytes: file, byteCount: try file.byteCount(), size: opened.fullSize,
            omissions: copied.warnings)
        picture.duration = copied.duration
        return picture
    }

    /// One frame on its way.
    struct Frame: Sendable {
        let buffer: PixelBuffers.Buffer
        let layout: RawLayout
        let time: FrameTime
    }

    /// Renders all frames but the first: every worker takes from the queue before it and adds to the one
    /// behind it, as soon as it can.
    ///
    /// - Returns: when the last is shown; nil: there was but the first.
    private func pump(
        _ source: FrameSource, _ stages: [any VideoStage], _ writer: VideoFrameWriter,
        _ queues: [FrameQueue]
    ) async throws -> FrameTime? {
        guard let decoded = queues.first, let drawn = queues.last else { return nil }
        let last = try await withThrowingTaskGroup(of: FrameTime?.self) { group in
            group.addTask {
                var source = source
                for await buffer in decoded.free {
                    guard let frame = try await source.next(into: buffer) else { break }
                    decoded.add(frame)
                }
                decoded.end()
                return source.last
            }
            for (stage, (input, output)) in zip(stages, zip(queues, queues.dropFirst())) {
                group.addTask {
                    try await stage.process(input, into: output)
                    return nil
                }
            }
            group.addTask {
                // The first is written already.
                var count = 1
                for await frame in drawn.frames {
                    try work.check()
                    try await writer.write(frame)
                    drawn.giveBack(frame)
                    let kept = source.range.kept
                    count += 1
                    work.report(
                        count, kept.seconds(frame.time.timestamp), kept, of: plan.assetIdentifier)
                }
                return nil
            }
            var last: FrameTime?
            for try await time in group { last = time ?? last }
            return last
        }
        try work.check()
        try Task.checkCancellation()
        return last
    }
}

/// What somebody wants to know of a video that is being rendered, and whether it is still wanted.
struct VideoWork: Sendable {
    /// Throws where it is not.
    var check: @Sendable () throws -> Void = { try Task.checkCancellation() }
    /// Told how much is done.
    var progress: EditProgressHandler?

    fileprivate func report(
        _ frameCount: Int, _ seconds: Double, _ timing: FrameTiming, of asset: String
    ) {
        guard let progress, timing.duration > 0 else { return }
        let whole = timing.seconds(timing.start &+ timing.duration)
        let fraction = min(1, max(0, seconds / whole))
        progress(asset, EditProgress(fraction: fraction, frameCount: frameCount))
    }
}
