// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import Vips

/// One-shot jobs.
@Suite struct JobTests {
    private func run(
        _ runner: TestRunner, _ base: TestFile, steps: Int = 0, _ output: RenderOutput,
        into file: TestFile? = nil
    ) throws -> RunnerReply {
        let step = RenderStep(
            extensionIdentifier: "org.example.recorder", adjustmentData: try .recorder())
        let input = RenderInput(
            base: .encoded(.unknown), steps: Array(repeating: step, count: steps))
        var descriptors: [(DescriptorRole, Int32)] = [
            (.base, base.number), (.metadataSource, base.number),
        ]
        if let file { descriptors.append((.output, file.number)) }
        return try runner.request(.run(RenderJob(input: input, output: output)), descriptors)
    }

    private func png(
        _ base: TestFile, mode: String, steps: Int = 1, formats: [PixelFormat] = [.rgb8, .rgba8]
    ) throws -> Image {
        let runner = try TestRunner()
        let loaded = try runner.loadRecorder(mode: mode, pixelFormats: formats)
        guard loaded == .loaded else { throw unexpected(loaded) }
        let output = try TestFile()
        let settings = EncodeSettings(format: .png, bitsPerSample: 16)
        let reply = try run(runner, base, steps: steps, .encoded(settings), into: output)
        guard case .rendered = reply else { throw unexpected(reply) }
        return try output.image()
    }

    @Test("a step gives the extension's pixels; two steps share one pipeline")
    func steps() throws {
        let base = try TestPicture.png()
        try expectInverted(try png(base, mode: "batch"), width: 40, height: 30)
        let twice = try png(base, mode: "batch", steps: 2).samples()
        #expect(try twice == TestPicture.image(width: 40, height: 30).samples())
    }

    @Test("a picture for viewing and a measurement count the decodes that they cause")
    func decodes() throws {
        let runner = try TestRunner()
        let base = try TestPicture.png()
        func counts(_ output: RenderOutput) throws -> [Int] {
            let file = try TestFile()
            let reply = try run(runner, base, output, into: file)
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            return [report.fullSizeDecodes, report.reducedDecodes]
        }
        var display = DisplaySettings()
        display.encoding = EncodeSettings(format: .png)
        display.writesPixels = false
        for output in [RenderOutput.image(display), .quality] {
            // The second of two equal jobs decodes as much as the first.
            let first = try counts(output)
            let second = try counts(output)
            let facts = try counts(.facts)
            #expect(second.reduce(0, +) == first.reduce(0, +) + 1, "\(output)")
            #expect(facts == [second[0] + 1, second[1]], "\(output)")
        }
    }

    @Test("a quarter turn over a sequential input works once and twice")
    func randomAccess() throws {
        let base = try TestPicture.png()
        let once = try png(base, mode: "random")
        #expect(once.width == 30 && once.height == 40)
        // Clockwise: the left column becomes the top row, from the bottom up.
        let samples = try once.samples()
        #expect(Int(samples[0]) == TestPicture.sample(0, 29, 0))
        #expect(Int(samples[29 * 3]) == TestPicture.sample(0, 0, 0))
        let twice = try png(base, mode: "random", steps: 2)
        #expect(twice.width == 40 && twice.height == 30)
        #expect(Int(try twice.samples()[0]) == TestPicture.sample(39, 29, 0))
    }

    @Test("floating-point output is rounded and clipped to the input's band format")
    func floatOutput() throws {
        let image = try png(try TestPicture.png(), mode: "float")
        #expect(image.format == .uchar)
        let value = 0.5 * Double(TestPicture.sample(5, 7, 1)) + 0.25
        #expect(
            Int(try image.samples()[(7 * 40 + 5) * 3 + 1]) == Int(value.rounded(.toNearestOrEven)))
    }

    @Test("gray output becomes RGB, and five bands are rejected")
    func bands() throws {
        let gray = try png(try TestPicture.png(), mode: "gray")
        #expect(gray.bands == 3)
        let green = UInt16(TestPicture.sample(3, 2, 1))
        let start = (2 * 40 + 3) * 3
        #expect(try Array(gray.samples()[start..<start + 3]) == [green, green, green])

        let runner = try TestRunner()
        _ = try runner.loadRecorder(mode: "five_bands")
        let reply = try run(runner, try TestPicture.png(), steps: 1, .facts)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .extensionFailed && failure.message.contains("6 bands"))
    }

    @Test("an 8-bit extension gets 8 of 16 bits, and the result has 16 bits")
    func depth() throws {
        let deep = try TestPicture.image(width: 8, height: 8).applying(
            "linear", ["a": 257.0, "b": 100.0])
        let cast = try deep.applying("cast", ["format": "ushort"])
            .copying { $0.setInterpretation(.rgb16) }
        let base = try TestFile(try cast.encoded(saver: "pngsave_buffer"))
        let image = try png(base, mode: "batch", formats: [.rgb8])
        #expect(image.format == .ushort)
        // (257 v + 100) / 257 rounds to v; its inverse is scaled back by 257.
        let value = 255 - TestPicture.sample(3, 2, 0)
        #expect(Int(try image.samples()[(2 * 8 + 3) * 3]) == value * 257)
    }

    @Test("K-07 pixels are upright, the orientation is 1, and the profile is the named one")
    func orientation() throws {
        let runner = try TestRunner()
        let base = try TestPicture.jpeg([10, 200, 30], width: 60, height: 20, orientation: 6)
        let output = try TestFile()
        let reply = try run(
            runner, base, .encoded(EncodeSettings(format: .jpeg, quality: 95)), into: output)
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        #expect(report.width == 20 && report.height == 60)
        #expect(report.facts?.orientation == 6 && report.facts?.pixelWidth == 20)
        let image = try output.image()
        #expect(image.width == 20 && image.integer("orientation") == 1)
        let pixel = try image.samples().prefix(3).map(Int.init)
        #expect(zip(pixel, [10, 200, 30]).allSatisfy { abs($0 - $1) <= 3 })

        let p3 = try png(try TestPicture.png(), mode: "p3")
        let profile = try #require(p3.blob("icc-profile-data"))
        #expect(String(decoding: profile, as: UTF8.self).contains("P3"))
    }

    @Test("raw pixels consist of the layout and that many bytes, and round-trip")
    func raw() throws {
        let runner = try TestRunner()
        let reply = try run(runner, try TestPicture.png(), .raw)
        guard case .outputNeeded(let layout) = reply else { throw unexpected(reply) }
        #expect(layout.width == 40 && layout.height == 30 && layout.pixelFormat == .rgb8)
        let pixels = try TestFile()
        guard
            case .rendered(let report) = try runner.request(.takeOutput, [(.output, pixels.number)])
        else { throw TestRunner.Failed("no pixels") }
        #expect(report.byteCount == layout.byteCount)
        let expected = try TestPicture.image(width: 40, height: 30).pixels()
        #expect(pixels.bytes == expected)

        let output = try TestFile()
        let back = try runner.request(
            .run(
                RenderJob(
                    input: RenderInput(base: .raw(layout)),
                    output: .encoded(EncodeSettings(format: .png)))),
            [(.base, pixels.number), (.output, output.number)])
        guard case .rendered = back else { throw unexpected(back) }
        #expect(try output.image().pixels() == expected)
    }

    @Test("equal input gives equal bytes in every written format")
    func deterministic() throws {
        let runner = try TestRunner()
        let base = try TestPicture.png()
        for format: MediaFormat in [.jpeg, .png, .tiff, .webp, .heic, .avif, .jxl, .gif] {
            let outputs = try (0..<2).map { _ in
                let output = try TestFile()
                let settings = EncodeSettings(format: format)
                let reply = try run(runner, base, .encoded(settings), into: output)
                guard case .rendered(let report) = reply else { throw unexpected(reply) }
                #expect(report.byteCount == output.bytes.count)
                return output.bytes
            }
            #expect(outputs[0] == outputs[1])
            #expect(MediaFormat(firstBytes: outputs[0]) == format)
        }
    }

    @Test("unsupported formats are named, and empty data is not a picture")
    func refusals() throws {
        let runner = try TestRunner()
        let cases: [(String, RunnerFailure.Code, String)] = [
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", .blockedFormat, "SVG"),
            ("%PDF-1.7", .blockedFormat, "PDF"), ("no picture", .blockedFormat, "known format"),
            ("", .badInput, "empty"), ("GIF89a", .badInput, "GIF"),
        ]
        for (text, code, word) in cases {
            let reply = try run(runner, try TestFile(Array(text.utf8)), .facts)
            guard case .failed(let failure) = reply else { throw unexpected(reply) }
            #expect(failure.code == code)
            #expect(failure.message.contains(word))
        }
    }

    @Test("a JPEG cut in half is rejected with or without a step")
    func truncated() throws {
        let whole = try TestPicture.jpeg([90, 90, 90], width: 200, height: 200).bytes
        let half = try TestFile(Array(whole.prefix(whole.count / 2)))
        let runner = try TestRunner()
        _ = try runner.loadRecorder(mode: "batch")
        for steps in 0...1 {
            let reply = try run(
                runner, half, steps: steps, .encoded(EncodeSettings(format: .jpeg)),
                into: try TestFile())
            guard case .failed(let failure) = reply else { throw unexpected(reply) }
            #expect(failure.code == .badInput)
        }
    }

    @Test("the runner reports each phase once")
    func phases() throws {
        let runner = try TestRunner()
        _ = try runner.loadRecorder(mode: "batch")
        _ = try run(runner, try TestPicture.png(), steps: 1, .facts)
        let identifier = "org.example.recorder"
        let phases = runner.phases
        #expect(phases.contains(.loading(extensionIdentifier: identifier)))
        #expect(phases.contains(.calling(extensionIdentifier: identifier, call: "finish")))
        #expect(phases.contains(.pixels(extensionIdentifiers: [identifier])))
        // The answer implies that the runner is idle.
        #expect(!phases.contains(.idle))
        #expect(zip(phases, phases.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("a crash in an extension follows the phase that names it")
    func crash() throws {
        let runner = try TestRunner()
        _ = try runner.loadRecorder(mode: "crash")
        #expect(throws: TestRunner.Failed.self) {
            try run(runner, try TestPicture.png(), steps: 1, .facts)
        }
        #expect(
            runner.phases.last
                == .calling(extensionIdentifier: "org.example.recorder", call: "finish"))
    }

    @Test("a recipe that the extension cannot continue is named")
    func cannotHandle() throws {
        let runner = try TestRunner()
        _ = try runner.loadRecorder()
        let step = RenderStep(
            extensionIdentifier: "org.example.recorder",
            adjustmentData: try .recorder(version: "9"))
        let base = try TestPicture.png()
        let input = RenderInput(base: .encoded(.png), steps: [step])
        let reply = try runner.request(
            .run(RenderJob(input: input, output: .facts)), [(.base, base.number)])
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .cannotHandle && failure.message.contains("9"))
    }
}
