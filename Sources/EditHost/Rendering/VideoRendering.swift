// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Renders a video. Each frame passes from the decoder through the extensions to the encoder, which run concurrently
/// on successive frames.
struct VideoRendering: Sendable {
    let renderer: Renderer
    let plan: StatePlan
    let settings: EncodeSettings
    let video: VideoSettings
    let callbacks: VideoRenderCallbacks
    /// A program's own function that processes the frames after the extensions.
    var program: ProgramStage.Processor?
    /// The factor that the sound is multiplied by; `nil` keeps the sound unchanged.
    var volume: Double?
    /// The height in pixels that frames are reduced to before they are edited; `nil` keeps the full size.
    var readHeight: Int?

    private var pool: RunnerPool { renderer.pool }

    /// Renders the video into a temporary file of the source, or outside it for an export.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset; `LibraryError`.
    func run() async throws -> EncodedOutput.Picture {
        // A video takes several runners and uses all cores, so two concurrent videos would wait for each other.
        let lock = video.isForWeb == true ? pool.conversionLock : pool.videoLock
        return try await lock.withLock {
            // It may have been cancelled while it waited.
            try callbacks.check()
            let runners = try await VideoRunners(pool, plan.steps)
            do {
                let picture = try await render(with: runners)
                await runners.returnLeases()
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
        // Edited frames are reduced after the edits, which may turn and crop them.
        let isEdited = !plan.steps.isEmpty || program != nil
        let height = readHeight ?? (isEdited ? nil : video.height)
        let opened = try await reader.open(base.bytes, height: height)
        let range = try await KeptVideoRange(opened.timing, runners.stages)
        if let copy = try await copy(base, opened, range, by: runners.encoder) { return copy }
        let groups = range.processing
        var stages: [any VideoStage] = []
        var hops = [try reader.buffers(for: opened.layout, readBy: groups.first?.group)]
        defer { for buffer in hops.joined() { pool.buffers.recycle(buffer) } }

        // The first frame determines the size of all others.
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
        var writing = VideoWriterSettings(
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
            // A frame-generating stage holds the last frame put into it until the next one.
            let isHeld = stages.indices.contains(index) && stages[index].generatesFrames
            return FrameQueue(buffers, holdingFirst: isHeld)
        }
        let last = try await pump(source, stages, writer, queues) ?? source.last
        // If only a part is kept, damage after it does not matter.
        let damage = try await reader.decode(range.isPart ? 0 : 1)
        try damage.requireEnd()
        for stage in stages {
            try await stage.close()
            stage.recycle()
        }
        let isGenerated = stages.contains { $0.generatesFrames }
        let report = try await writer.end(at: isGenerated ? range.end(through: last) : nil)
        try renderer.requireUnchangedOriginal(of: plan)
        var picture = EncodedOutput.Picture(
            bytes: file, byteCount: try file.byteCount(),
            size: PixelSize(width: report.width, height: report.height),
            omissions: opened.warnings + damage.warnings + stages.flatMap(\.warnings)
                + report.warnings)
        if range.isPart {
            picture.duration =
                isGenerated
                ? range.kept.length
                : opened.timing.seconds(from: FrameTime(timestamp: start), through: last)
        } else if plan.base != plan.original, opened.timing.duration > 0 {
            // The base may be shorter than the original.
            picture.duration = opened.timing.length
        }
        return picture
    }

    /// An export may read from a library that is not writable.
    private func makeFile() throws -> OpenFile {
        try renderer.purpose == .copying ? .unnamed() : renderer.source.makeTemporaryFile()
    }

    /// Copies a part whose frames do not change. Returns `nil` if it must be encoded.
    private func copy(
        _ base: Renderer.Base, _ opened: OpenedVideo, _ range: KeptVideoRange, by runner: Runner
    ) async throws -> EncodedOutput.Picture? {
        guard video.copiesGroups == true, range.isPart, range.processing.isEmpty, program == nil,
            volume == nil, video.height == nil, readHeight == nil
        else { return nil }
        let file = try makeFile()
        let copying = VideoCopySettings(format: settings.format, part: range.kept)
        guard let copied = try await runner.copy(copying, from: base.bytes, to: file) else {
            return nil
        }
        try callbacks.check()
        try renderer.requireUnchangedOriginal(of: plan)
        var picture = EncodedOutput.Picture(
            bytes: file, byteCount: try file.byteCount(), size: opened.fullSize,
            omissions: copied.warnings)
        picture.duration = copied.duration
        return picture
    }

    /// A frame in flight between two workers.
    struct Frame: Sendable {
        let buffer: PixelBuffers.Buffer
        let layout: UncompressedLayout
        let time: FrameTime
    }

    /// Renders all frames but the first. Each worker takes frames from the queue before it and adds them to the
    /// queue after it, as soon as it can.
    ///
    /// - Returns: The time of the last frame, or `nil` if there was only the first.
    private func pump(
        _ source: FrameSource, _ stages: [any VideoStage], _ writer: VideoFrameWriter,
        _ queues: [FrameQueue]
    ) async throws -> FrameTime? {
        guard let decoded = queues.first, let rendered = queues.last else { return nil }
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
                // The first frame is already written.
                var count = 1
                for await frame in rendered.frames {
                    try callbacks.check()
                    try await writer.write(frame)
                    rendered.recycle(frame)
                    let kept = source.range.kept
                    count += 1
                    callbacks.report(
                        count, kept.seconds(frame.time.timestamp), kept, of: plan.assetIdentifier)
                }
                return nil
            }
            var last: FrameTime?
            for try await time in group { last = time ?? last }
            return last
        }
        try callbacks.check()
        try Task.checkCancellation()
        return last
    }
}
