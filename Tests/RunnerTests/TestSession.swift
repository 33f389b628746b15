// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport

/// An editing session with the recorder.
final class TestSession {
    let runner: TestRunner
    private let base: TestFile

    init(
        mode: String = "plain", base: TestFile? = nil, definitions: [String: String] = [:],
        overAdders isOverAdders: Bool = false
    ) throws {
        runner = try TestRunner()
        self.base = try base ?? TestPicture.png()
        let loaded = try runner.loadRecorder(mode: mode, definitions: definitions)
        guard loaded == .loaded else { throw unexpected(loaded) }
        if isOverAdders { try Self.loadAdder(runner) }
        let opened = try runner.request(.open(extensionIdentifier: "org.example.recorder"))
        guard opened == .done else { throw unexpected(opened) }
    }

    private static func loadAdder(_ runner: TestRunner) throws {
        let json = """
            {"identifier": "org.example.adder", "version": "1.0", "pixelFormats": ["rgb8"],
             "access": "sequential"}
            """
        let adder = try JSONDecoder().decode(LoadedExtension.self, from: Data(json.utf8))
        let library = try TestFile(path: try TestPlugin.build("adder"))
        let loaded = try runner.request(.load(adder), [(.library, library.number)])
        guard loaded == .loaded else { throw unexpected(loaded) }
    }

    /// Steps that each add an amount.
    static func adding(_ amounts: [Int]) -> [RenderStep] {
        amounts.map { amount in
            RenderStep(
                extensionIdentifier: "org.example.adder",
                adjustmentData: AdjustmentData(
                    formatIdentifier: "org.example.adder", formatVersion: "1.0",
                    data: Data("\(amount) plain".utf8)))
        }
    }

    /// Starts the edit of the base.
    func start(
        placeholder: TestFile? = nil, recipe: AdjustmentData? = nil, subtypes: MediaSubtype = [],
        steps: [RenderStep] = [], displaySize: Int = 2048, isInteractive: Bool = true
    ) throws -> RunnerReply {
        let start = SessionStart(
            input: RenderInput(base: .encoded(.png), steps: steps), adjustmentData: recipe,
            isInteractive: isInteractive, placeholder: .encoded(.jpeg), mediaType: .image,
            mediaSubtypes: subtypes,
            creationDate: "2021-08-06T11:32:22-07:00",
            location: Location(latitude: 36.112, longitude: -115.171),
            contentType: "image/png", renderedContentType: "image/png",
            displaySize: displaySize)
        let placeholder = placeholder ?? base
        return try runner.request(
            .start(start),
            [
                (.base, base.number), (.metadataSource, base.number),
                (.placeholder, placeholder.number),
            ])
    }

    /// Finishes the edit.
    func finished() throws -> FinishedEdit? {
        let reply = try runner.request(.finish)
        guard case .finished(let edit) = reply else { throw unexpected(reply) }
        return edit
    }

    /// Expects that finishing the edit fails.
    func failedFinish() throws -> RunnerFailure {
        let reply = try runner.request(.finish)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        return failure
    }

    /// Renders the finished edit as PNG.
    func render() throws -> TestFile {
        let output = try TestFile()
        let reply = try runner.request(
            .render(.encoded(EncodeSettings(format: .png))), [(.output, output.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        return output
    }

    /// The recorder's log, with only the first word of a start.
    var calls: [String] {
        let mark = "org.example.recorder: "
        return runner.log.filter { $0.hasPrefix(mark) }.map { line in
            let call = line.dropFirst(mark.count)
            return call.hasPrefix("start ") ? "start" : String(call)
        }
    }
}
