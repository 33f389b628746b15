// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport

/// Pixels that could not be computed are never accepted as valid, regardless of what failed or hid
/// the failure. The error names the extension that failed.
@Suite("pixel errors are not lost")
struct LostErrorTests {
    private static let adder = "org.example.adder"

    private func runner(recorder mode: String = "batch") throws -> TestRunner {
        let runner = try TestRunner()
        _ = try runner.loadRecorder(mode: mode)
        let json = """
            {"identifier": "\(Self.adder)", "version": "1.0", "pixelFormats": ["rgb8"],
             "access": "sequential"}
            """
        let adder = try JSONDecoder().decode(LoadedExtension.self, from: Data(json.utf8))
        let library = try TestFile(path: try TestPlugin.build("adder"))
        guard try runner.request(.load(adder), [(.library, library.number)]) == .loaded else {
            throw TestRunner.Failed("the adder was not loaded")
        }
        return runner
    }

    private func adding(_ mode: String) throws -> RenderStep {
        RenderStep(
            extensionIdentifier: Self.adder,
            adjustmentData: AdjustmentData(
                formatIdentifier: Self.adder, formatVersion: "1.0", data: Data("10 \(mode)".utf8)))
    }

    private func recording() throws -> RenderStep {
        RenderStep(
            extensionIdentifier: "org.example.recorder", adjustmentData: try .recorder())
    }

    /// The reply to a job; for raw output, the reply to the request for its pixels.
    private func run(
        _ runner: TestRunner, _ base: TestFile, _ steps: [RenderStep], _ output: RenderOutput
    ) throws -> RunnerReply {
        let file = try TestFile()
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown), steps: steps), output: output)
        var reply = try runner.request(.run(job), [(.base, base.number), (.output, file.number)])
        if case .outputNeeded = reply {
            reply = try runner.request(.takeOutput, [(.output, file.number)])
        }
        return withExtendedLifetime(file) { reply }
    }

    private func failure(_ reply: RunnerReply, _ comment: Comment) -> RunnerFailure? {
        if case .failed(let failure) = reply { return failure }
        Issue.record("\(comment): \(reply)")
        return nil
    }

    private static let outputs: [RenderOutput] = [
        .encoded(EncodeSettings(format: .jpeg)), .encoded(EncodeSettings(format: .png)),
        .encoded(EncodeSettings(format: .tiff)), .encoded(EncodeSettings(format: .webp)), .raw,
        .reducedRaw(longerSide: 100), .facts,
    ]

    private static let modes: [String] = ["last", "middle", "once"].flatMap { when in
        ["", "-tilecache", "-threaded", "-linecache", "-sequential", "-screen", "-twice"]
            .flatMap { over in ["pixels-\(when)\(over)", "pixels-\(when)\(over)-peek"] }
    }

    @Test("a failing generate is an error of its extension under every cache", arguments: modes)
    func extensionFails(mode: String) throws {
        let base = try TestPicture.png(width: 600, height: 400)
        let runner = try runner()
        for output in Self.outputs {
            let comment: Comment = "\(mode) \(output)"
            let steps = [try adding(mode), try recording()]
            let reply = try run(runner, base, steps, output)
            guard let failure = failure(reply, comment) else { continue }
            #expect(failure.code == .extensionFailed, comment)
            #expect(failure.extensionIdentifier == Self.adder, comment)
        }
        // The failures do not affect a later valid job.
        let good = try run(
            runner, base, [try adding("plain"), try recording()], .encoded(.init(format: .png)))
        guard case .rendered = good else { throw unexpected(good) }
    }

    @Test("a failing last strip is an error a hundred times")
    func lastStrip() throws {
        let base = try TestPicture.png(width: 300, height: 300)
        let runner = try runner()
        for turn in 0..<100 {
            let reply = try run(
                runner, base, [try adding("pixels-last")], Self.outputs[turn % Self.outputs.count])
            #expect(failure(reply, "\(turn)")?.extensionIdentifier == Self.adder)
        }
    }

    @Test("a truncated picture is blamed regardless of the steps over it")
    func pictureFails() throws {
        let whole = TruncatedTIFF.file(.uchar, width: 600, height: 400)
        let base = try TestFile(Array(whole.prefix(whole.count - 3000)))
        for mode in [
            "plain", "pixels-none-swallow", "pixels-none-screen", "pixels-none-swallow-peek",
        ] {
            let runner = try runner()
            for output in Self.outputs {
                let comment: Comment = "\(mode) \(output)"
                let reply = try run(runner, base, [try adding(mode), try recording()], output)
                guard let failure = failure(reply, comment) else { continue }
                #expect(failure.code == .badInput, "\(comment): \(failure)")
                #expect(failure.extensionIdentifier == nil, comment)
            }
        }
    }

    @Test("a truncated picture is blamed also under sepia, whose pixels come from Swift")
    func pictureFailsUnderSepia() throws {
        let folder = "\(BuildProducts.packageFolder)/Plugins/SepiaFilter"
        let manifest = try ExtensionManifest(
            json: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/manifest.json")))
        let library = try TestFile(path: BuildProducts.library(ofExtension: "SepiaFilter"))
        let runner = try runner()
        let loaded = try runner.request(
            .load(LoadedExtension(manifest)), [(.library, library.number)])
        #expect(loaded == .loaded)
        let sepia = RenderStep(
            extensionIdentifier: manifest.identifier,
            adjustmentData: AdjustmentData(
                formatIdentifier: manifest.identifier, formatVersion: "1.0",
                data: Data("{\"intensity\": 1}".utf8)))
        let whole = TruncatedTIFF.file(.uchar, width: 600, height: 400)
        let base = try TestFile(Array(whole.dropLast(100)))
        for turn in 0..<20 {
            let output = Self.outputs[turn % Self.outputs.count]
            let reply = try run(runner, base, [sepia], output)
            #expect(failure(reply, "\(turn)")?.code == .badInput)
            #expect(failure(reply, "\(turn)")?.extensionIdentifier == nil)
        }
        // Conversely, sepia reads the failing output of another extension over a valid picture.
        let good = try TestFile(whole)
        for mode in ["pixels-last", "pixels-once-tilecache-peek"] {
            let reply = try run(runner, good, [try adding(mode), sepia], Self.outputs[0])
            #expect(failure(reply, "\(mode)")?.extensionIdentifier == Self.adder)
        }
    }

    @Test("a failure in a preview fails finish despite the cache")
    func previewFails() throws {
        for over in ["-tilecache", "-linecache", "-twice", "-screen", "-sequential"] {
            let runner = try runner()
            let base = try TestPicture.png(width: 600, height: 400)
            #expect(try runner.request(.open(extensionIdentifier: Self.adder)) == .done)
            let start = SessionStart(
                input: RenderInput(base: .encoded(.png)), adjustmentData: nil, placeholder: nil,
                mediaType: .image, mediaSubtypes: [], creationDate: nil, location: nil,
                contentType: "image/png", renderedContentType: "image/png")
            guard case .parameters = try runner.request(.start(start), [(.base, base.number)])
            else {
                throw TestRunner.Failed("not started")
            }
            // A plug-in may use one image for previews and the final output.
            let values = Data("{\"mode\":\"pixels-once\(over)-kept\"}".utf8)
            guard case .parameters = try runner.request(.setParameters(values)) else {
                throw TestRunner.Failed("no parameters")
            }
            let output = try TestFile()
            let settings = RenderOutput.encoded(EncodeSettings(format: .png))
            for _ in 0..<2 {
                let preview = try runner.request(
                    .preview(settings), [(.output, output.number)])
                #expect(failure(preview, "\(over)")?.extensionIdentifier == Self.adder)
            }
            _ = try runner.request(.finish)
            for _ in 0..<1 {
                let render = try runner.request(.render(settings), [(.output, output.number)])
                #expect(failure(render, "\(over)")?.extensionIdentifier == Self.adder)
            }
        }
    }

    @Test("an unreadable display image, placeholder or full-size file is a bad input")
    func handedOver() throws {
        let whole = TruncatedTIFF.file(.uchar, width: 600, height: 400)
        let base = try TestFile(Array(whole.prefix(whole.count - 3000)))
        // `plain` reads the placeholder in `start` and ignores the error.
        for mode in ["plain", "file"] {
            let session = try TestSession(mode: mode, base: base)
            let reply = try session.start()
            guard case .failed(let failure) = reply else { throw unexpected(reply) }
            #expect(failure.code == .badInput && failure.extensionIdentifier == nil)
        }
        // Only the placeholder, the current state, is unreadable.
        let session = try TestSession(mode: "plain")
        let reply = try session.start(placeholder: base)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badInput && failure.extensionIdentifier == nil)
    }

    @Test("a full-size file that cannot be written completely is a bad input")
    func fullSizePath() throws {
        let whole = TruncatedTIFF.file(.uchar, width: 600, height: 400)
        let runner = try runner()
        let reply = try run(
            runner, try TestFile(Array(whole.dropLast(100))), [try adding("full-size-path")], .facts
        )
        #expect(failure(reply, "path")?.code == .badInput)
        let good = try run(runner, try TestFile(whole), [try adding("full-size-path")], .facts)
        guard case .rendered = good else { throw unexpected(good) }
    }

    @Test("a mere warning of a loader is not a failure")
    func warning() throws {
        let jpeg = try TestPicture.jpeg([90, 120, 30], width: 64, height: 48).bytes
        // libjpeg warns about extraneous bytes before the end marker.
        let odd = try TestFile(Array(jpeg.dropLast(2)) + [0x12, 0x34] + jpeg.suffix(2))
        let runner = try runner()
        for output in Self.outputs {
            for steps in [[], [try adding("plain"), try recording()]] {
                let reply = try run(runner, odd, steps, output)
                guard case .rendered = reply else { throw unexpected(reply) }
            }
        }
    }
}
