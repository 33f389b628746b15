// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Logging
import Synchronization
import TestSupport
import Testing
import Vips

@Suite("extension trials")
struct ExtensionTrialTests {
    private let folder: TemporaryFolder
    private let configuration: HostConfiguration

    init() throws {
        folder = try TemporaryFolder()
        var configuration = HostConfiguration(
            runnerExecutable: BuildProducts.runner, extensionFolders: [], runnerLimit: 1,
            threadsPerRunner: 2)
        configuration.mediaRunnerExecutable = BuildProducts.mediaRunner
        self.configuration = configuration
    }

    private func trial(_ name: String, on input: String) -> ExtensionTrial {
        ExtensionTrial(
            of: folder.file("\(name).editingextension"), on: input, to: folder.file("out.png"))
    }

    private func run(
        _ trial: ExtensionTrial, output: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> TestPicture {
        _ = try await trial.run(
            configuration, logger: Logger(label: "test") { _ in TestLog() }, outputHandler: output)
        return try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: trial.outputPath)))
    }

    @Test("a file that the extension writes is its result")
    func writtenFile() async throws {
        try TestExtension.buildAdder(in: folder.path)
        let picture = TestPicture.gradient()
        var trial = trial("adder", on: try folder.write(picture.encoded(), to: "in.png"))
        trial.values = ["mode": "file", "amount": "4"]
        #expect(try await run(trial) == picture.adding(4))
    }

    @Test("alpha and 16-bit pixels are kept")
    func deep() async throws {
        try TestExtension.buildAdder(in: folder.path)
        let picture = TestPicture.gradient(bands: 4)
        var trial = trial("adder", on: try folder.write(picture.encoded(), to: "in.png"))
        trial.values = ["amount": "4"]
        #expect(try await run(trial) == picture.adding(4))

        let samples = (0..<30 * 20 * 3).map { UInt16(truncatingIfNeeded: $0 * 1201) }
        let image = try Image(
            bytes: samples.withUnsafeBytes(Array.init), width: 30, height: 20, bands: 3,
            format: .ushort, interpretation: .rgb16)
        let png = Data(try image.encoded(saver: "pngsave_buffer", options: ["bitdepth": 16]))
        trial.inputPath = try folder.write(png, to: "deep.png")
        _ = try await run(trial)
        let written = try Image(
            source: try ImageSource(
                bytes: Array(Data(contentsOf: URL(fileURLWithPath: trial.outputPath)))))
        let expected = samples.map { UInt16(min(65_535, Int($0) + 4)) }
        #expect(try written.pixels() == expected.withUnsafeBytes(Array.init))
    }

    @Test("a file parameter is read by its path")
    func parameterFile() async throws {
        try TestExtension.buildCube(in: folder.path)
        let picture = TestPicture.gradient()
        var trial = trial("cube", on: try folder.write(picture.encoded(), to: "in.png"))
        #expect(try await run(trial) == picture.adding(3))
        trial.values = ["lut": try folder.write(Data([9]), to: "nine.cube")]
        #expect(try await run(trial) == picture.adding(9))
    }

    @Test("an extension for videos gets the frame at a time as a frame of a video")
    func videoFrame() async throws {
        try TestExtension.buildClock(in: folder.path)
        let path = folder.file("a.mov")
        try TestVideo.make(path, size: "160x64", seconds: 4, ["-crf", "4"])
        var trial = trial("clock", on: path)
        for time in [nil, 1.6, 3.2] as [Double?] {
            trial.time = time
            let picture = try await run(trial)
            #expect(picture.width == 160 && picture.height == 64)
            // The plug-in writes the time in tenths of a second into its second block.
            let place = (8 * 160 + 24) * picture.bands
            #expect(Double(picture.samples[place]) == (time ?? 0) * 10)
        }
    }

    @Test("an extension for videos can read the whole video")
    func wholeVideo() async throws {
        try TestExtension.buildViewer(in: folder.path)
        let path = folder.file("a.mov")
        try TestVideo.make(path, size: "64x48", seconds: 1, ["-c:v", "libx264", "-an"])
        let result = try await trial("viewer", on: path).run(configuration) { _ in }
        let recipe = String(decoding: result.adjustmentData.data, as: UTF8.self)
        let lines = recipe.split(separator: "\n")
        #expect(lines.contains("describe 0"))
        #expect(lines.filter { $0.hasPrefix("frame ") }.count == 25)
    }

    @Test("an extension for photos gets a frame as a photo")
    func frameAsPicture() async throws {
        try TestExtension.buildAdder(in: folder.path)
        let path = folder.file("a.mov")
        try TestVideo.make(path, size: "160x64", seconds: 1, [])
        var trial = trial("adder", on: path)
        trial.values = ["amount": "0"]
        let before = try await run(trial)
        trial.values = ["amount": "10"]
        #expect(try await run(trial) == before.adding(10))
    }

    @Test("an extension for videos alone rejects pictures")
    func unsupportedPicture() async throws {
        try TestExtension.buildClock(
            manifest: ["supportedMediaTypes": ["video"]], in: folder.path)
        let trial = trial(
            "clock", on: try folder.write(TestPicture.gradient().encoded(), to: "in.png"))
        await #expect(throws: HostError.self) { _ = try await run(trial) }
        #expect(!FileManager.default.fileExists(atPath: trial.outputPath))
    }

    @Test("a runner that waits for a debugger has no deadline")
    func debugger() async throws {
        try TestExtension.buildAdder(in: folder.path)
        let picture = TestPicture.gradient()
        var trial = trial("adder", on: try folder.write(picture.encoded(), to: "in.png"))
        var hasty = configuration
        (hasty.timeouts.load, hasty.timeouts.interactive) = (.zero, .zero)
        await #expect(throws: HostError.self) {
            _ = try await trial.run(hasty) { _ in }
        }
        trial.debuggerHandler = { process in kill(process, SIGCONT) }
        _ = try await trial.run(hasty) { _ in }
        let written = try TestPicture(
            decoding: Data(contentsOf: URL(fileURLWithPath: trial.outputPath)))
        #expect(written == picture.adding(10))
    }

    @Test("lines of output are passed on in order")
    func output() async throws {
        try TestExtension.buildAdder(in: folder.path)
        var trial = trial(
            "adder", on: try folder.write(TestPicture.gradient().encoded(), to: "in.png"))
        trial.values = ["mode": "noise"]
        let lines = Mutex<[String]>([])
        _ = try await run(trial) { line in lines.withLock { $0.append(line) } }
        #expect(lines.withLock { $0 } == (0..<2000).map { "{\"noise\": \($0)}" })
    }
}
