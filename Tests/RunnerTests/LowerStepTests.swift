// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import Vips

/// Sessions whose input is a chain of other edits.
@Suite struct LowerStepTests {
    /// The inverted result of the adders on the test picture. Each adder clips.
    private func expected(width: Int, height: Int, adding amounts: [Int]) -> [UInt16] {
        (0..<height).flatMap { y in
            (0..<width).flatMap { x in
                (0..<3).map { band in
                    let sum = amounts.reduce(TestPicture.sample(x, y, band)) {
                        min(255, max(0, $0 + $1))
                    }
                    return UInt16(255 - sum)
                }
            }
        }
    }

    @Test("C-14 the display image is the reduced state below; the full size is exact")
    func lowerSteps() throws {
        let session = try TestSession(
            base: try TestPicture.png(width: 96, height: 48), overAdders: true)
        let started = try session.start(steps: TestSession.adding([30, -10]), displaySize: 32)
        guard case .parameters = started else { throw unexpected(started) }
        let line = try #require(session.runner.log.first { $0.contains("start ") })
        #expect(line.contains("full=96x48 o=1 scale=1.0000,0.3333"))
        let preview = try TestFile()
        let reply = try session.runner.request(
            .preview(.encoded(EncodeSettings(format: .png))),
            [(.output, preview.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        #expect(report.width == 32 && report.height == 16 && report.fullSizeDecodes == 0)
        // Away from wraparounds of the picture's planes, a reduced pixel has the value of the middle
        // of the area that it covers.
        let middle = 255 - (TestPicture.sample(13, 7, 0) + 20)
        #expect(abs(Int(try preview.image().samples()[(2 * 32 + 4) * 3]) - middle) <= 3)

        #expect(try session.finished() != nil)
        // First from the image that finish returned, then from the recipe.
        for _ in 0..<2 {
            let samples = try session.render().image().samples()
            #expect(samples == expected(width: 96, height: 48, adding: [30, -10]))
        }
        #expect(try session.runner.request(.close) == .done)
    }

    @Test("the full size is available on any thread, also over other edits")
    func threads() throws {
        for amounts in [[], [25]] {
            let session = try TestSession(mode: "asks_on_threads", overAdders: true)
            _ = try session.start(steps: TestSession.adding(amounts))
            #expect(try session.finished() != nil)
            #expect(session.calls.contains("three equal inputs"), "\(session.calls)")
            // Over other edits the input is a pipeline that was already read, so the recipe is run again.
            let wanted = expected(width: 40, height: 30, adding: amounts)
            if !amounts.isEmpty { #expect(try session.render().image().samples() == wanted) }
        }
    }

    @Test("C-22 the full-size file contains the edits below and is written once")
    func file() throws {
        let session = try TestSession(mode: "file", overAdders: true)
        _ = try session.start(steps: TestSession.adding([25]))
        let edit = try #require(try session.finished())
        #expect(edit.file != nil)
        let copy = try TestFile()
        #expect(try session.runner.request(.takeFile, [(.output, copy.number)]) == .done)
        let samples = try copy.image().samples()
        #expect(samples == expected(width: 40, height: 30, adding: [25]))
    }

    @Test("C-17 a cancel stops the computation of pixels")
    func cancelWhilePulling() throws {
        let session = try TestSession(
            mode: "slow", base: try TestPicture.png(width: 8, height: 20000))
        _ = try session.start(displaySize: 64)
        #expect(try session.finished() != nil)
        let output = try TestFile()
        let request = try session.runner.send(
            .render(.encoded(EncodeSettings(format: .png))), [(.output, output.number)])
        try session.runner.waitForLog("computes pixels")
        #expect(try session.runner.request(.cancel) == .done)
        let reply = try session.runner.answer(to: request)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .cancelled)
        #expect(try session.runner.request(.close) == .done)
    }
}
