// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

/// A stage that returns one frame for each frame that it gets.
protocol FrameByFrame: VideoStage {}

extension FrameByFrame {
    var generatesFrames: Bool { false }
    func open(
        feeding frame: VideoRendering.Frame?
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)? { nil }
    func takeFrame(into buffer: PixelBuffers.Buffer) async throws -> FrameTime? { nil }
    func endInput() async throws {}
}
