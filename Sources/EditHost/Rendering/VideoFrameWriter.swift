// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Sends frames to a media runner, in sequence.
struct VideoFrameWriter: Sendable {
    let runner: Runner
    let layout: UncompressedLayout

    /// Begins the file, taking everything but the frames from `source`.
    func begin(_ writing: VideoWriterSettings, source: OpenFile, _ file: OpenFile) async throws {
        try await done(.beginVideo(writing), [(.base, source), (.videoOutput, file)])
    }

    /// Encodes a frame.
    func write(_ frame: VideoRendering.Frame) async throws {
        try await done(
            .writeFrame(frame.time, layout), [(.reusedBase, frame.buffer.memory)])
    }

    /// An upper bound on the frames that any encoder holds back.
    private static let maximumDelay = 1024

    /// Completes the file. Each request flushes one frame that the encoder has held back: all of them together may
    /// exceed the time limit of a request.
    ///
    /// - Parameter time: The end of the last frame, in the video's units; `nil` keeps the duration of the frame.
    func end(at time: Int64?) async throws -> RenderReport {
        var delayed = 0
        while true {
            let reply = try await runner.send(
                .endVideo(at: time), timeout: runner.timeouts.render, isFullSize: true)
            switch reply {
            case .rendered(let report): return report
            case .done where delayed < Self.maximumDelay:
                delayed += 1
                try Task.checkCancellation()
            default: throw runner.unexpected(reply)
            }
        }
    }

    private func done(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws {
        let reply = try await runner.send(
            request, descriptors, timeout: runner.timeouts.render, isFullSize: true)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }
}
