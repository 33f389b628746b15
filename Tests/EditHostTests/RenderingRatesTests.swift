// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// The rates of earlier renderings, which divide plans into shards.
@Suite("rates of earlier renderings")
struct RenderingRatesTests {
    private func path(in library: PhotoLibrary) -> String {
        "\(library.path)/cache/\(RenderingRates.filename)"
    }

    /// The only kind of the fixture's photos, in the library.
    private func onlyKind(
        _ studio: TestStudio, _ host: ExtensionHost, _ asset: String
    ) throws -> (kind: RenderingRates.Kind, megapixels: Double) {
        let history = try studio.library.history(ofAsset: asset)
        let facts = try #require(history.original?.facts)
        let plan = try host.renderer(of: studio.library).planner.plan(history.chain, of: history)
        return (
            RenderingRates.Kind(plan, .rendition(of: facts)),
            Double(facts.pixelWidth * facts.pixelHeight) / 1_000_000
        )
    }

    @Test("the seconds of committed results are kept by format and extensions")
    func commits() async throws {
        let work = try await WorkFixture(1)
        let (kind, megapixels) = try onlyKind(work.studio, work.host, work.assets[0])
        #expect(kind.part == .photo && kind.format == "png")
        #expect(kind.extensions == ["org.example.adder"])
        #expect(RenderingRates(work.library).stored() == [:])
        try work.writeAll()
        #expect(try await work.commit().summary.committed == 1)
        // The fixture's results name 0.1 seconds, and one edit.
        let rates = RenderingRates(work.library).stored()
        #expect(Array(rates.keys) == [kind])
        let rate = try #require(rates[kind])
        #expect(abs(rate * megapixels - 0.1) < 1e-9)
        #expect(try work.library.check(readingDataOf: 100).severity <= .repairable)
        await work.shutDown()
    }

    @Test("rerender keeps rates, and a plan without probes uses them")
    func plans() async throws {
        let studio = try TestStudio { try TestExtension.buildAdder(in: $0) }
        // Of a small picture, a rendering of a second on a busy machine would have a rate out of range.
        let side = 1000
        let asset = try await studio.add(
            TestPicture(
                width: side, height: side, bands: 3,
                samples: [UInt8](repeating: 100, count: side * side * 3)))
        try await studio.edit(asset, "adder", ["amount": "3"])
        let (kind, megapixels) = try onlyKind(studio, studio.host, asset)
        var options = RerenderOptions(jobs: 1)
        options.force = true
        try await studio.host.rerender([asset], in: studio.library, options: options) { result in
            #expect(result.status == .rendered, "\(result)")
        }
        #expect(Array(RenderingRates(studio.library).stored().keys) == [kind])
        let text = """
            {"rates":[{"kind":{"part":"photo","format":"png","extensions":["org.example.adder"]},"seconds":7}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(in: studio.library)))
        var planning = WorkPlanOptions(jobs: 1)
        (planning.force, planning.probe) = (true, .off)
        let report = try await studio.host.planWork(
            .named([asset]), in: studio.library, to: studio.folder.file("work"),
            options: planning, report: { _ in })
        let cost = try #require(report).plan.shards.map(\.cost).reduce(0, +)
        #expect(abs(cost - 7 * megapixels) < 1e-9)
        await studio.host.shutDown()
    }

    private static let texts = [
        "", "{", "[]", #"{"rates":{}}"#, #"{"rates":[{"seconds":1}]}"#,
        #"{"rates":[{"kind":{"part":"photo","format":"png","extensions":[]},"seconds":0}]}"#,
        #"{"rates":[{"kind":{"part":"photo","format":"png","extensions":[]},"seconds":-1}]}"#,
        #"{"rates":[{"kind":{"part":"photo","format":"png","extensions":[]},"seconds":1e300}]}"#,
        String(repeating: "[", count: 100_000),
        #"{"rates":[]}"# + String(repeating: " ", count: 2 << 20),
    ]

    @Test("a damaged file of rates is ignored")
    func damaged() throws {
        let studio = try TestStudio()
        for text in Self.texts {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path(in: studio.library)))
            #expect(RenderingRates(studio.library).stored() == [:], "\(text.prefix(100))")
        }
    }

    @Test("a link, a pipe or a folder in place of the file of rates is ignored")
    func otherKinds() throws {
        let studio = try TestStudio()
        let file = path(in: studio.library)
        let rates = """
            {"rates":[{"kind":{"part":"photo","format":"png","extensions":[]},"seconds":1}]}
            """
        try Data(rates.utf8).write(to: URL(fileURLWithPath: file))
        #expect(RenderingRates(studio.library).stored().count == 1)
        let target = try studio.folder.write(Data(rates.utf8), to: "target")
        for make in [
            { symlink(target, file) }, { mkfifo(file, 0o600) }, { mkdir(file, 0o700) },
        ] {
            try FileManager.default.removeItem(atPath: file)
            try #require(make() == 0)
            #expect(RenderingRates(studio.library).stored() == [:])
        }
    }
}
