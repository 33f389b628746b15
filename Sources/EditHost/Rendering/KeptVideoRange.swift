// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// The part of a video that remains after all edits, and the steps that process its frames.
struct KeptVideoRange: Sendable {
    /// The steps that change frames, each with the timing of its input frames and the wanted part of its output
    /// frames.
    let processing: [(group: VideoRunners.Group, timing: FrameTiming, wanted: FrameTiming)]
    /// The part that remains.
    let kept: FrameTiming
    /// The part that is decoded. A frame-generating step gets all of its input, even if later steps cut its output.
    let decoded: FrameTiming
    /// Whether the kept part is shorter than the whole video.
    let isPart: Bool
    /// Whether the whole video is decoded.
    private let isWhole: Bool
    /// The seconds of video before the decoded part.
    let secondsBefore: Double

    /// Determines which part of the video is kept, by calling the extensions.
    ///
    /// - Throws: `HostError`, naming the extension that failed.
    init(_ whole: FrameTiming, _ groups: [VideoRunners.Group]) async throws {
        var timing = whole
        var found: [(group: VideoRunners.Group, timing: FrameTiming)] = []
        for group in groups {
            let runner = group.runner
            let reply = try await runner.send(
                .narrow(group.steps.map(\.renderStep), timing), timeout: runner.timeouts.render,
                isFullSize: false)
            guard case .keptRanges(let ranges) = reply, ranges.count == group.steps.count,
                let last = ranges.last?.timing, timing.contains(last)
            else { throw runner.unexpected(reply) }
            if ranges.contains(where: { !$0.leavesFrames }) { found.append((group, timing)) }
            timing = last
        }
        var wanted = timing
        var processing: [(VideoRunners.Group, FrameTiming, FrameTiming)] = []
        for (group, timing) in found.reversed() {
            processing.append((group, timing, wanted))
            if group.generatesFrames { wanted = timing }
        }
        self.processing = processing.reversed()
        kept = timing
        decoded = wanted
        isPart = timing != whole
        isWhole = wanted == whole
        secondsBefore = isWhole ? 0 : whole.seconds(wanted.start)
    }

    /// Returns the start of the part: its first frame, or earlier if that is the video's first frame and is shown
    /// late.
    func start(of frame: FrameTime, isFirst: Bool) -> Int64 {
        isFirst ? min(kept.start, frame.timestamp) : frame.timestamp
    }

    /// Returns the end of generated frames, in units of the timing, or `nil` if it is unknown.
    ///
    /// - Parameter last: The last of the frames that they are generated from.
    func end(through last: FrameTime) -> Int64? {
        let ends = [
            isPart ? Self.sum(kept.start, kept.duration) : nil,
            last.duration > 0 ? Self.sum(last.timestamp, last.duration) : nil,
        ]
        return ends.compactMap { $0 }.min()
    }

    /// Adds untrusted times. Returns `nil` for a time that cannot be represented.
    private static func sum(_ start: Int64, _ duration: Int64) -> Int64? {
        let (end, isOverflow) = start.addingReportingOverflow(duration)
        return isOverflow ? nil : end
    }

    /// Returns the position of a decoded frame relative to the decoded part.
    func place(ofDecoded frame: FrameTime) -> FrameTiming.Place {
        isWhole ? .inside : decoded.place(of: frame)
    }
}
