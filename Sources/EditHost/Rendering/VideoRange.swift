// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// The part of a video that is left by all edits, and who works on its frames.
struct VideoRange: Sendable {
    /// The steps that change frames, and how the times of those are counted that come to them.
    let drawing: [(group: VideoRunners.Group, timing: FrameTiming)]
    /// The part.
    let kept: FrameTiming
    /// Whether it is not the whole.
    let isPart: Bool
    /// How many seconds lie before it.
    let secondsBefore: Double

    /// Asks the extensions.
    ///
    /// - Throws: `HostError`, naming the extension that failed.
    init(_ whole: FrameTiming, _ groups: [VideoRunners.Group]) async throws {
        var timing = whole
        var drawing: [(VideoRunners.Group, FrameTiming)] = []
        for group in groups {
            let runner = group.runner
            let reply = try await runner.ask(
                .narrow(group.steps.map(\.renderStep), timing), deadline: runner.deadlines.render,
                isFullSize: false)
            guard case .kept(let ranges) = reply, ranges.count == group.steps.count,
                let last = ranges.last?.timing, timing.contains(last)
            else { throw runner.unexpected(reply) }
            if ranges.contains(where: { !$0.leavesFrames }) { drawing.append((group, timing)) }
            timing = last
        }
        self.drawing = drawing
        kept = timing
        isPart = timing != whole
        secondsBefore = isPart ? whole.seconds(timing.start) : 0
    }

    /// Where a frame lies, by the middle of the time for which it is shown.
    func place(of frame: FrameTime) -> Place {
        guard isPart else { return .inside }
        // Times of a file may be anything.
        let middle = Double(frame.timestamp) + Double(frame.duration) / 2
        if middle < Double(kept.start) { return .before }
        return middle < Double(kept.start) + Double(kept.duration) ? .inside : .after
    }

    /// Where a frame lies.
    enum Place {
        case before, inside, after
    }
}

extension FrameTiming {
    /// Whether another one counts in the same units, and lies within.
    fileprivate func contains(_ part: FrameTiming) -> Bool {
        let (ends, partEnds) = (
            Double(start) + Double(duration), Double(part.start) + Double(part.duration)
        )
        return part.numerator == numerator && part.denominator == denominator
            && part.start >= start && part.duration >= 0 && partEnds <= ends + 1
    }
}

extension VideoFrameReader {
    /// Decodes the first frame of a part; nil: there is none.
    func first(of range: VideoRange, into buffer: PixelBuffers.Buffer) async throws -> FrameTime? {
        if range.secondsBefore > 0 { try await skip(to: range.secondsBefore) }
        while let frame = try await read(into: buffer) {
            switch range.place(of: frame) {
            case .before: continue
            case .inside: return frame
            case .after: return nil
            }
        }
        return nil
    }

    /// Decodes the next frame; nil: there are no more of the part.
    func next(of range: VideoRange, into buffer: PixelBuffers.Buffer) async throws -> FrameTime? {
        guard let frame = try await read(into: buffer), range.place(of: frame) == .inside else {
            return nil
        }
        return frame
    }
}
