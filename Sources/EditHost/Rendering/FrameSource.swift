// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The decoded frames of the part of a video that is kept, one after the other.
struct FrameSource: Sendable {
    typealias Frame = VideoRendering.Frame

    private let reader: VideoFrameReader
    let range: VideoRange
    private let layout: RawLayout
    /// When the last was shown that was read.
    private(set) var last: FrameTime
    private var hasEnded = false

    /// - Parameter last: the first frame, which was read already.
    init(reader: VideoFrameReader, range: VideoRange, layout: RawLayout, last: FrameTime) {
        self.reader = reader
        self.range = range
        self.layout = layout
        self.last = last
    }

    /// Decodes the next frame; nil: there are no more.
    mutating func next(into buffer: PixelBuffers.Buffer) async throws -> Frame? {
        guard !hasEnded, let time = try await reader.next(of: range, into: buffer) else {
            hasEnded = true
            return nil
        }
        last = time
        return Frame(buffer: buffer, layout: layout, time: time)
    }

    /// Opens a stage behind others, and reads as many frames as it needs to give its first.
    ///
    /// - Parameters:
    ///   - frame: the first frame that comes to it.
    ///   - hops: the buffers between the stages, with those behind the last. Gets those behind it.
    /// - Returns: the first frame that it gives.
    /// - Throws: `HostError`.
    mutating func open(
        _ stage: any VideoStage, with frame: Frame, behind stages: inout [any VideoStage],
        _ hops: inout [[PixelBuffers.Buffer]]
    ) async throws -> Frame {
        var opened = try await stage.open(with: frame)
        while opened == nil {
            let next = try await next(through: stages[...], hops)
            opened = try await stage.open(furtherWith: next)
            if next == nil { break }
        }
        guard let (output, spare) = opened else {
            throw HostError(.runnerFailed, "the extension returned no frames")
        }
        stages.append(stage)
        hops.append([output.buffer, spare])
        return output
    }

    /// The next frame that comes through stages that are open.
    private mutating func next(
        through stages: ArraySlice<any VideoStage>, _ hops: [[PixelBuffers.Buffer]]
    ) async throws -> Frame? {
        guard let stage = stages.last else { return try await next(into: hops[0][0]) }
        let room = hops[stages.count][0]
        if let time = try await stage.further(into: room) {
            return Frame(buffer: room, layout: stage.output, time: time)
        }
        while let frame = try await next(through: stages.dropLast(), hops) {
            guard let time = try await stage.process(frame, into: room) else { continue }
            return Frame(buffer: room, layout: stage.output, time: time)
        }
        try await stage.endInput()
        guard let time = try await stage.further(into: room) else { return nil }
        return Frame(buffer: room, layout: stage.output, time: time)
    }
}
