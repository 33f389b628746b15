// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

/// Decodes the kept part of a video frame by frame, in sequence.
struct FrameSource: Sendable {
    typealias Frame = VideoRendering.Frame

    private let reader: VideoFrameReader
    let range: KeptVideoRange
    private let layout: UncompressedLayout
    /// The time of the most recently decoded frame.
    private(set) var last: FrameTime
    private var hasEnded = false

    /// - Parameter last: The time of the first frame, which has already been decoded.
    init(
        reader: VideoFrameReader, range: KeptVideoRange, layout: UncompressedLayout, last: FrameTime
    ) {
        self.reader = reader
        self.range = range
        self.layout = layout
        self.last = last
    }

    /// Decodes the next frame into `buffer`. Returns `nil` at the end of the kept part.
    mutating func next(into buffer: PixelBuffers.Buffer) async throws -> Frame? {
        guard !hasEnded, let time = try await reader.next(of: range, into: buffer) else {
            hasEnded = true
            return nil
        }
        last = time
        return Frame(buffer: buffer, layout: layout, time: time)
    }

    /// Opens the stage after `stages` and passes it frames until it returns its first output.
    ///
    /// - Parameters:
    ///   - frame: The first input frame of the stage.
    ///   - hops: The buffers before each stage and after the last one. The buffers after the new stage are
    ///     appended.
    /// - Returns: The first output frame of the stage.
    /// - Throws: `HostError`, with `runnerFailed` if the stage returns no frames.
    mutating func open(
        _ stage: any VideoStage, with frame: Frame, behind stages: inout [any VideoStage],
        _ hops: inout [[PixelBuffers.Buffer]]
    ) async throws -> Frame {
        var opened = try await stage.open(with: frame)
        while opened == nil {
            let next = try await next(through: stages[...], hops)
            opened = try await stage.open(feeding: next)
            if next == nil { break }
        }
        guard let (output, spare) = opened else {
            throw HostError(.runnerFailed, "the extension returned no frames")
        }
        stages.append(stage)
        hops.append([output.buffer, spare])
        return output
    }

    /// Returns the next frame that passes through the open stages, or `nil` at the end.
    private mutating func next(
        through stages: ArraySlice<any VideoStage>, _ hops: [[PixelBuffers.Buffer]]
    ) async throws -> Frame? {
        guard let stage = stages.last else { return try await next(into: hops[0][0]) }
        let room = hops[stages.count][0]
        if let time = try await stage.takeFrame(into: room) {
            return Frame(buffer: room, layout: stage.output, time: time)
        }
        while let frame = try await next(through: stages.dropLast(), hops) {
            guard let time = try await stage.process(frame, into: room) else { continue }
            return Frame(buffer: room, layout: stage.output, time: time)
        }
        try await stage.endInput()
        guard let time = try await stage.takeFrame(into: room) else { return nil }
        return Frame(buffer: room, layout: stage.output, time: time)
    }
}
