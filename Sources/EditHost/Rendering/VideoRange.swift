// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// The part of a video that is left by all edits, and who works on its frames.
struct VideoRange: Sendable {
    /// The steps that change frames, how the times of those are counted that come to them, and what of those that they
    /// make is wanted.
    let drawing: [(group: VideoRunners.Group, timing: FrameTiming, wanted: FrameTiming)]
    /// The part.
    let kept: FrameTiming
    /// What is decoded for it: a step that makes frames gets all that came to it before others cut what it made.
    let decoded: FrameTiming
    /// Whether it is not the whole.
    let isPart: Bool
    /// Whether all is decoded.
    private let isWhole: Bool
    /// How many seconds lie before what is decoded.
    let secondsBefore: Double

    /// Asks the extensions.
    ///
    /// - Throws: `HostError`, naming the extension that failed.
    init(_ whole: FrameTiming, _ groups: [VideoRunners.Group]) async throws {
        var timing = whole
        var found: [(group: VideoRunners.Group, timing: FrameTiming)] = []
        for group in groups {
            let runner = group.runner
            let reply = try await runner.ask(
                .narrow(group.steps.map(\.renderStep), timing), deadline: runner.deadlines.render,
                isFullSize: false)
            guard case .kept(let ranges) = reply, ranges.count == group.steps.count,
                let last = ranges.last?.timing, timing.contains(last)
            else { throw runner.unexpected(reply) }
            if ranges.contains(where: { !$0.leavesFrames }) { found.append((group, timing)) }
            timing = last
        }
        var wanted = timing
        var drawing: [(VideoRunners.Group, FrameTiming, FrameTiming)] = []
        for (group, timing) in found.reversed() {
            drawing.append((group, timing, wanted))
            if group.makesFrames { wanted = timing }
        }
        self.drawing = drawing.reversed()
        kept = timing
        decoded = wanted
        isPart = timing != whole
        isWhole = wanted == whole
        secondsBefore = isWhole ? 0 : whole.seconds(wanted.start)
    }

    /// When the part begins: with its first frame, or before it if that is the video's first and is shown late.
    func start(of frame: FrameTime, isFirst: Bool) -> Int64 {
        isFirst ? min(kept.start, frame.timestamp) : frame.timestamp
    }

    /// When frames end that are made, in units of the timing; nil: it is not known.
    ///
    /// - Parameter last: the last frame of those that they are made of.
    func end(through last: FrameTime) -> Int64? {
        let ends = [
            isPart ? kept.start.addingReportingOverflow(kept.duration).partialValue : nil,
            last.duration > 0
                ? last.timestamp.addingReportingOverflow(last.duration).partialValue : nil,
        ]
        return ends.compactMap { $0 }.min()
    }

    /// Where a frame of the file lies.
    func place(ofDecoded frame: FrameTime) -> FrameTiming.Place {
        isWhole ? .inside : decoded.place(of: frame)
    }
}

extension FrameTiming {
    /// Where a frame lies, by the middle of the time for which it is shown.
    func place(of frame: FrameTime) -> Place {
        // Times of a file may be anything, and its length need not be known.
        let middle = Double(frame.timestamp) + Double(frame.duration) / 2
        if middle < Double(start) { return .before }
        return middle < Double(start) + Double(duration) ? .inside : .after
    }

    /// Where a frame lies.
    enum Place {
        case before, inside, after
    }

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
            switch range.place(ofDecoded: frame) {
            case .before: continue
            case .inside: return frame
            case .after: return nil
            }
        }
        return nil
    }

    /// Decodes the next frame; nil: there are no more of the part.
    func next(of range: VideoRange, into buffer: PixelBuffers.Buffer) async throws -> FrameTime? {
        guard let frame = try await read(into: buffer), range.place(ofDecoded: frame) == .inside
        else {
            return nil
        }
        return frame
    }
}
