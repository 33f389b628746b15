// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Frames that an encoder holds back until the end of its input.
@Suite("delayed frames")
struct DelayedFrameTests {
    @Test(
        "each delayed frame is answered separately",
        arguments: [VideoSettings.Codec.h264, .hevc])
    func oneByOne(codec: VideoSettings.Codec) throws {
        let runner = try TestRunner(BuildProducts.mediaRunner)
        let (width, height, count) = (96, 64, 30)
        let path = runner.folder.appendingPathComponent("source.mp4").path
        try TestVideo.make(path, size: "\(width)x\(height)", seconds: 1, ["-an"])
        let (source, output) = (try TestFile(path: path), try TestFile())
        let layout = UncompressedLayout(
            width: width, height: height, pixelFormat: .rgb8, profile: .sRGB)
        let pixels = try TestFile(
            [UInt8](repeating: 90, count: layout.byteCount + VideoWriterSettings.readAhead))
        let writing = VideoWriterSettings(
            settings: VideoSettings(codec: codec, preset: "medium", threads: 1), format: .mp4,
            width: width, height: height,
            timing: FrameTiming(numerator: 1, denominator: 25, start: 0, duration: Int64(count)))
        let begun = try runner.request(
            .beginVideo(writing), [(.base, source.number), (.videoOutput, output.number)])
        #expect(begun == .done)
        for number in 0..<count {
            let time = FrameTime(timestamp: Int64(number), duration: 1)
            let reply = try runner.request(
                .writeFrame(time, layout), [(.reusedBase, pixels.number)])
            #expect(reply == .done)
        }
        // Both encoders look ahead by more frames than this, or nearly as many.
        var delayed = 0
        var reply = try runner.request(.endVideo(at: nil))
        while reply == .done, delayed <= count {
            delayed += 1
            reply = try runner.request(.endVideo(at: nil))
        }
        guard case .rendered = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect((10...count).contains(delayed), "\(delayed)")
        let made = runner.folder.appendingPathComponent("made.mp4")
        try Data(output.bytes).write(to: made)
        #expect(try TestVideo.times(made.path).count == count)
    }
}
