// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

/// Renders a video: each frame goes from the decoder through the extensions to the encoder, which all work
/// at the same time, on frames that follow one another.
///
/// Two buffers lie between one and the next: one is written while the other is read.
struct VideoRendering: Sendable {
    let renderer: Renderer
    let plan: StatePlan
    let settings: EncodeSettings
    let video: VideoSettings
    let work: VideoWork

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
        let opened = try await reader.open(base.bytes, height: video.height)
        let range = try await VideoRange(opened.timing, runners.stages)
        let groups = range.drawing
        var stages: [FrameStage] = []
        var hops = [try reader.buffers(for: opened.layout, readBy: groups.first?.group)]
        defer { for buffer in hops.flatMap({ [$0.0, $0.1] }) { pool.buffers.giveBack(buffer) } }

        // The first frame tells the sizes of all others.
        guard let first = try await reader.first(of: range, into: hops[0].0) else {
            throw HostError(.badInput, "it has no frames, or none is left of it")
        }
        var frame = Frame(buffer: hops[0].0, layout: opened.layout, time: first)
        for (index, (group, timing)) in groups.enumerated() {
            let isLast = index == groups.count - 1
            let stage = FrameStage(
                renderer: renderer, plan: plan, group: group, timing: timing,
                input: frame.layout, reader: isLast ? nil : groups[index + 1].group,
                scale: Double(opened.layout.width) / Double(max(1, opened.fullSize.width)))
            let (output, spare) = try await stage.open(with: frame)
            stages.append(stage)
            hops.append((output.buffer, spare))
            frame = output
        }
        // What is exported may come from a library that nobody writes to.
        let file =
            try renderer.purpose == .copying
            ? .temporary() : renderer.library.makeTemporaryFile()
        let writer = VideoFrameWriter(runner: runners.encoder, layout: frame.layout)
        var writing = VideoWriting(
            settings: video, format: settings.format, width: frame.layout.width,
            height: frame.layout.height, timing: opened.timing)
        if range.isPart { writing.partStart = first.timestamp }
        try await writer.begin(writing, source: base.bytes, file)
        try await writer.write(frame)
        let last = try await pump(reader, stages, writer, hops, opened, range) ?? first
        for stage in stages {
            try await stage.close()
            stage.giveBack()
        }
        let report = try await writer.end()
        try renderer.requireUnchangedOriginal(of: plan)
        var picture = EncodedOutput.Picture(
            bytes: file, byteCount: try file.byteCount(),
            size: PixelSize(width: report.width, height: report.height),
            omissions: opened.warnings + stages.flatMap(\.warnings) + report.warnings)
        if range.isPart {
            picture.duration = opened.timing.seconds(from: first, through: last)
        }
        return picture
    }

    /// One frame on its way.
    struct Frame: Sendable {
        let buffer: PixelBuffers.Buffer
        let layout: RawLayout
        let time: FrameTime
    }

    /// Moves all frames but the first, one place further with each turn.
    ///
    /// - Returns: the last; nil: there was but the first.
    private func pump(
        _ reader: VideoFrameReader, _ stages: [FrameStage], _ writer: VideoFrameWriter,
        _ hops: [(PixelBuffers.Buffer, PixelBuffers.Buffer)], _ opened: OpenedVideo,
        _ range: VideoRange
    ) async throws -> FrameTime? {
        // The frame that waits before each stage, and before the encoder.
        var waiting = [FrameTime?](repeating: nil, count: stages.count + 1)
        var (isAtEnd, turn) = (false, 0)
        var last: FrameTime?
        let layouts = [opened.layout] + stages.map(\.output)
        while !isAtEnd || waiting.contains(where: { $0 != nil }) {
            try work.check()
            func written(_ hop: Int) -> PixelBuffers.Buffer {
                turn % 2 == 0 ? hops[hop].0 : hops[hop].1
            }
            func read(_ hop: Int) -> Frame? {
                waiting[hop].map {
                    Frame(
                        buffer: turn % 2 == 0 ? hops[hop].1 : hops[hop].0, layout: layouts[hop],
                        time: $0)
                }
            }
            let readsOn = !isAtEnd
            waiting = try await withThrowingTaskGroup(of: (Int, FrameTime?).self) { group in
                if readsOn {
                    let buffer = written(0)
                    group.addTask { (0, try await reader.next(of: range, into: buffer)) }
                }
                for (index, stage) in stages.enumerated() {
                    guard let frame = read(index) else { continue }
                    let buffer = written(index + 1)
                    group.addTask {
                        try await stage.process(frame, into: buffer)
                        return (index + 1, frame.time)
                    }
                }
                if let frame = read(stages.count) {
                    group.addTask {
                        try await writer.write(frame)
                        return (-1, frame.time)
                    }
                }
                var next = [FrameTime?](repeating: nil, count: stages.count + 1)
                for try await (place, time) in group {
                    if place >= 0 { next[place] = time }
                    if place < 0, let time {
                        work.report(range.kept.seconds(time.timestamp), range.kept)
                    }
                }
                return next
            }
            isAtEnd = isAtEnd || waiting[0] == nil
            if let read = waiting[0] { last = read }
            turn += 1
        }
        return last
    }
}

/// What somebody wants to know of a video that is being rendered, and whether it is still wanted.
struct VideoWork: Sendable {
    /// Throws where it is not.
    var check: @Sendable () throws -> Void = { try Task.checkCancellation() }
    /// Told how much is done, 0...1.
    var progress: (@Sendable (Double) -> Void)?

    fileprivate func report(_ seconds: Double, _ timing: FrameTiming) {
        guard let progress, timing.duration > 0 else { return }
        let whole = timing.seconds(timing.start &+ timing.duration)
        progress(min(1, max(0, seconds / whole)))
    }
}
