// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import Vips

/// Sessions with an extension that logs its calls.
@Suite struct EditingTests {
    @Test("C-11 C-22 K-04 start gives the input and an image of the current state")
    func start() throws {
        let session = try TestSession()
        let placeholder = try TestPicture.jpeg([200, 200, 200], width: 20, height: 15)
        let reply = try session.start(
            placeholder: placeholder, recipe: try .recorder("old"), subtypes: .photoScreenshot)
        guard case .parameters(let json) = reply else { throw unexpected(reply) }
        #expect(String(decoding: json, as: UTF8.self) == "{\"amount\": 7}")
        // The input is the base (the previous state), and the placeholder is the stored state.
        let line = try #require(session.runner.log.first { $0.contains("start ") })
        #expect(line.contains("type=1 content=image/png date=2021-08-06T11:32:22-07:00"))
        #expect(line.contains("place=36.11,-115.17 full=40x30 o=1 scale=1.0000,1.0000"))
        #expect(line.contains("recipe=old default=image/png placeholder=20x15,200"))
    }

    @Test("C-12 the display image is the input reduced to a bounded size")
    func displayImage() throws {
        let session = try TestSession(base: try TestPicture.png(width: 96, height: 48))
        _ = try session.start(displaySize: 32)
        let line = try #require(session.runner.log.first { $0.contains("start ") })
        #expect(line.contains("full=96x48 o=1 scale=1.0000,0.3333"))
        let output = try TestFile()
        let reply = try session.runner.request(
            .preview(.encoded(EncodeSettings(format: .png))),
            [(.output, output.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        #expect(report.width == 32 && report.height == 16)
        // A reduced plane is still a plane: away from wraparounds, the middle of a reduced pixel has
        // the value of the position that it covers.
        let pixels = try output.image().samples()
        let expected = 255 - TestPicture.sample(13, 7, 0)
        #expect(abs(Int(pixels[(2 * 32 + 4) * 3]) - expected) <= 3)
    }

    @Test("C-13 C-14 the placeholder comes first, and previews decode nothing at full size")
    func noFullSizeBeforeFinish() throws {
        let session = try TestSession()
        _ = try session.start()
        for _ in 0..<3 {
            let output = try TestFile()
            let reply = try session.runner.request(
                .preview(.encoded(EncodeSettings(format: .png))),
                [(.output, output.number)])
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            #expect(report.fullSizeDecodes == 0)
            // The placeholder, which the recorder reads, and the display image are decoded once each.
            #expect(report.reducedDecodes == 2)
        }
        let calls = session.calls
        #expect(calls.prefix(3) == ["create", "start", "render_preview"])
        _ = try session.finished()
        let output = try TestFile()
        let reply = try session.runner.request(
            .render(.encoded(EncodeSettings(format: .png))), [(.output, output.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        #expect(report.fullSizeDecodes == 1)
    }

    @Test("a non-interactive edit decodes only the full size, also over other edits")
    func nothingReduced() throws {
        for amounts in [[], [25]] {
            let session = try TestSession(mode: "batch", overAdders: true)
            _ = try session.start(steps: TestSession.adding(amounts), isInteractive: false)
            #expect(try session.finished() != nil)
            let output = try TestFile()
            let reply = try session.runner.request(
                .render(.encoded(EncodeSettings(format: .png))), [(.output, output.number)])
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            // Below other edits, the base is also opened for its size.
            #expect(report.fullSizeDecodes == (amounts.isEmpty ? 1 : 2))
            #expect(report.reducedDecodes == 0)
            let start = try #require(session.runner.log.first { $0.contains("start ") })
            #expect(start.contains("full=40x30 o=1 scale=1.0000,1.0000"))
        }
    }

    @Test("the size above other edits is exact if they do not change it")
    func exactSize() throws {
        let session = try TestSession(
            base: try TestPicture.png(width: 400, height: 301), overAdders: true)
        _ = try session.start(steps: TestSession.adding([25]), displaySize: 64)
        let start = try #require(session.runner.log.first { $0.contains("start ") })
        #expect(start.contains("full=400x301 o=1 scale=1.0000,0.1600"))
    }

    @Test("C-16 finish gives the recipe and a lazy image, and destroy comes last")
    func finish() throws {
        let session = try TestSession()
        _ = try session.start()
        let edit = try #require(try session.finished())
        let recipe = AdjustmentData(
            formatIdentifier: "org.example.recorder", formatVersion: "1.0",
            data: Data("recipe".utf8))
        #expect(edit.adjustmentData == recipe && edit.file == nil)
        // The edit can be rendered repeatedly: the second time runs the recipe again.
        for _ in 0..<2 {
            let output = try session.render()
            try expectInverted(output.image(), width: 40, height: 30)
        }
        #expect(!session.calls.contains("destroy"))
        #expect(try session.runner.request(.close) == .done)
        #expect(session.calls.last == "destroy")
        let calls = session.calls
        #expect(calls.filter { $0 == "create" }.count == calls.filter { $0 == "destroy" }.count)
    }

    @Test("C-16 the completion may be called from another thread")
    func otherThread() throws {
        let session = try TestSession(mode: "thread")
        _ = try session.start()
        #expect(try session.finished() != nil)
        try expectInverted(try session.render().image(), width: 40, height: 30)
    }

    @Test("C-16 a second call of the completion is ignored and logged")
    func secondCompletion() throws {
        let session = try TestSession(mode: "twice")
        _ = try session.start()
        #expect(try session.finished() != nil)
        #expect(session.runner.log.contains { $0.contains("a second time; ignored") })
        try expectInverted(try session.render().image(), width: 40, height: 30)
    }

    @Test("C-17 a completion after cancel is discarded and logged")
    func completionAfterCancel() throws {
        let session = try TestSession(mode: "after_cancel")
        _ = try session.start()
        let finish = try session.runner.send(.finish)
        try session.runner.waitForLog("waits for cancel")
        #expect(try session.runner.request(.shouldConfirmCancel) == .answer(true))
        #expect(try session.runner.request(.cancel) == .done)
        let reply = try session.runner.answer(to: finish)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .cancelled)
        try session.runner.waitForLog("after cancel; its output was discarded")
        // A cancelled edit cannot be rendered.
        let after = try session.runner.request(.render(.raw))
        guard case .failed(let failure) = after else { throw unexpected(after) }
        #expect(failure.code == .cancelled)
        #expect(try session.runner.request(.close) == .done)
        let calls = session.calls
        #expect(calls.contains("cancel") && calls.last == "destroy")
    }

    @Test("a completion without output and without a cancel is a failure")
    func noOutput() throws {
        let session = try TestSession(mode: "no_output")
        _ = try session.start()
        let failure = try session.failedFinish()
        #expect(failure.code == .extensionFailed)
        #expect(failure.message.contains("gave no output"))
    }

    @Test(
        "C-20 a discarded edit or an output without recipe and picture commits nothing",
        arguments: ["discard", "empty_output"])
    func discard(_ mode: String) throws {
        let session = try TestSession(mode: mode)
        _ = try session.start()
        #expect(try session.runner.request(.finish) == .finished(nil))
        #expect(try session.runner.request(.close) == .done)
        // The runner accepts the next edit.
        #expect(
            try session.runner.request(.open(extensionIdentifier: "org.example.recorder")) == .done)
    }

    @Test("a finish that never completes can be cancelled")
    func silentFinish() throws {
        let session = try TestSession(mode: "silent")
        _ = try session.start()
        let finish = try session.runner.send(.finish)
        try session.runner.waitForLog("finish")
        #expect(try session.runner.request(.cancel) == .done)
        let reply = try session.runner.answer(to: finish)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .cancelled)
    }

    @Test("K-06 C-22 a file is written to the runner's path from a lossless full-size file")
    func writtenFile() throws {
        let session = try TestSession(mode: "file")
        _ = try session.start()
        let edit = try #require(try session.finished())
        let file = try #require(edit.file)
        #expect(file.contentType == "image/png")
        let copy = try TestFile()
        #expect(try session.runner.request(.takeFile, [(.output, copy.number)]) == .done)
        try expectInverted(try copy.image(), width: 40, height: 30)
        #expect(session.calls.contains("svg refused"))
    }

    @Test("K-06 a file of a type without a requested path is rejected")
    func wrongType() throws {
        let session = try TestSession(mode: "wrong_type")
        _ = try session.start()
        let failure = try session.failedFinish()
        #expect(failure.code == .extensionFailed)
        #expect(failure.message.contains("image/jpeg"))
    }

    @Test("a failing finish passes on its message, repaired if not UTF-8")
    func failure() throws {
        let session = try TestSession(mode: "fails")
        _ = try session.start()
        let failure = try session.failedFinish()
        #expect(failure.code == .extensionFailed && failure.message == "cannot \u{FFFD} be done")
        #expect(failure.extensionIdentifier == "org.example.recorder")
    }

    @Test("an invalid value is a parameter error, and the edit continues")
    func badParameter() throws {
        let session = try TestSession()
        _ = try session.start()
        let reply = try session.runner.request(.setParameters(Data("{}".utf8)))
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badParameter && failure.message == "amount is missing")
        let next = try session.runner.request(.setParameters(Data("{\"amount\":12}".utf8)))
        #expect(next == .parameters(Data("{\"amount\": 12}".utf8)))
    }

    @Test("C-10 a failing answer counts as false")
    func canHandle() throws {
        let good = try TestSession()
        #expect(try good.runner.request(.canHandle(try .recorder())) == .answer(true))
        #expect(try good.runner.request(.canHandle(try .recorder(version: "2"))) == .answer(false))
        let bad = try TestSession(mode: "can_handle_fails")
        #expect(try bad.runner.request(.canHandle(try .recorder())) == .answer(false))
        #expect(bad.runner.log.contains { $0.contains("is not continued: no idea") })
    }

    @Test("out-of-order requests are rejected")
    func order() throws {
        let runner = try TestRunner()
        for request: RunnerRequest in [.finish, .close, .takeOutput, .cancel, .shouldConfirmCancel]
        {
            guard case .failed(let failure) = try runner.request(request) else {
                Issue.record("\(request) was carried out")
                continue
            }
            #expect(failure.code == .badRequest)
        }
    }
}

/// The error for an unexpected reply.
func unexpected(_ reply: RunnerReply) -> TestRunner.Failed {
    TestRunner.Failed("unexpected: \(reply)")
}

/// Expects every sample to be that of the inverted test picture.
func expectInverted(_ image: Image, width: Int, height: Int) throws {
    #expect(image.width == width && image.height == height && image.bands == 3)
    let samples = try image.samples()
    let expected = (0..<height).flatMap { y in
        (0..<width).flatMap { x in
            (0..<3).map { UInt16(255 - TestPicture.sample(x, y, $0)) }
        }
    }
    #expect(samples == expected)
}
