// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// Plug-ins built for other versions of the contract, in this host.
@Suite struct GrowthTests {
    private static let identifier = "org.example.growth"

    private func load(
        _ runner: TestRunner, _ header: ContractHeader, short: String? = nil,
        defines: [String] = []
    ) throws -> RunnerReply {
        let folder = try TemporaryFolder()
        try TestExtension.compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/growth.c",
            to: folder.file("growth.so"),
            defines: defines + (short.map { ["SHORT=\"\($0)\""] } ?? []), header: header)
        let json = """
            {"identifier": "\(Self.identifier)", "version": "1.0", "pixelFormats": ["rgb8"],
             "access": "sequential"}
            """
        let description = try JSONDecoder().decode(LoadedExtension.self, from: Data(json.utf8))
        let library = try TestFile(path: folder.file("growth.so"))
        return try runner.request(.load(description), [(.library, library.number)])
    }

    private func job(_ base: RenderInput.Base) -> RenderJob {
        let recipe = AdjustmentData(
            formatIdentifier: Self.identifier, formatVersion: "1.0", data: Data("recipe".utf8))
        return RenderJob(
            input: RenderInput(
                base: base,
                steps: [RenderStep(extensionIdentifier: Self.identifier, adjustmentData: recipe)]),
            output: .encoded(EncodeSettings(format: .png)))
    }

    @Test(
        "a 1.0 plug-in and one with members unknown to the host both edit",
        arguments: ContractHeader.allCases)
    func edits(_ header: ContractHeader) throws {
        let runner = try TestRunner()
        let loaded = try load(runner, header)
        guard loaded == .loaded else { throw unexpected(loaded) }
        let (base, output) = (try TestPicture.png(), try TestFile())
        let reply = try runner.request(
            .run(job(.encoded(.png))),
            [(.base, base.number), (.metadataSource, base.number), (.output, output.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        let before = try base.image().samples()
        #expect(try output.image().samples() == before.map { min(255, $0 + 1) })
    }

    @Test(
        "a structure shorter than in 1.0 is rejected by name",
        arguments: ["ee_entry", "ee_photo_editing"])
    func short(_ structure: String) throws {
        let reply = try load(try TestRunner(), .current, short: structure)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badExtension)
        let name =
            structure == "ee_photo_editing" ? "org.edithost.photo-editing/1" : structure
        #expect(failure.message.contains(name), "\(failure.message)")
        #expect(failure.message.contains("struct_size of "), "\(failure.message)")
        #expect(failure.message.contains("of 1.0"), "\(failure.message)")
    }

    @Test("an output shorter than in 1.0 fails the edit")
    func shortOutput() throws {
        let runner = try TestRunner()
        let loaded = try load(runner, .current, short: "ee_output")
        guard loaded == .loaded else { throw unexpected(loaded) }
        let (base, output) = (try TestPicture.png(), try TestFile())
        let reply = try runner.request(
            .run(job(.encoded(.png))),
            [(.base, base.number), (.metadataSource, base.number), (.output, output.number)])
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .extensionFailed)
        #expect(failure.message.contains("ee_output has a struct_size of"), "\(failure.message)")
    }

    @Test("a step of a job sees the cancel, and the next job is not cancelled")
    func cancelledJob() throws {
        let runner = try TestRunner()
        let loaded = try load(runner, .current, defines: ["WORK", "WAIT"])
        guard loaded == .loaded else { throw unexpected(loaded) }
        for _ in 0..<2 {
            let (base, output) = (try TestPicture.png(), try TestFile())
            let number = try runner.send(
                .run(job(.encoded(.png))),
                [(.base, base.number), (.metadataSource, base.number), (.output, output.number)])
            let seen = runner.log.filter { $0.hasSuffix("saw the cancel") }.count
            let asked = runner.log.filter { $0.hasSuffix("cancelled 0") }.count
            try runner.waitForLog("cancelled 0", count: asked + 1)
            #expect(try runner.request(.cancel) == .done)
            let reply = try runner.answer(to: number)
            guard case .failed(let failure) = reply else { throw unexpected(reply) }
            #expect(failure.code == .cancelled)
            #expect(runner.log.filter { $0.hasSuffix("saw the cancel") }.count == seen + 1)
        }
        let progress = runner.announcements.compactMap {
            if case .progress(let fraction) = $0 { fraction } else { nil }
        }
        #expect(progress == [0, 0.25, 0.5, 1, 0, 0.25, 0.5, 1])
    }
}
