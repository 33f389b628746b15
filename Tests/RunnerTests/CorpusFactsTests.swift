// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport

@Suite("Facts of real files", .corpus)
struct CorpusFactsTests {
    @Test("P-02 P-05 P-07 P-12 dates, positions, bursts and content identifiers of the manifest")
    func manifest() throws {
        let runner = try TestRunner()
        let rows = try Corpus.photographs()
        #expect(rows.count > 20)
        for row in rows {
            let name = try #require(row["path"])
            let file = try TestFile(path: try Corpus.path(name))
            let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
            let reply = try runner.ask(.run(job), [(.base, file.number)])
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            #expect(!report.warnings.contains { $0.contains("EXIF") }, "\(name)")
            let facts = try #require(report.facts)
            #expect(facts.creationDate?.text == Corpus.date(row), "\(name)")
            expect(facts.location?.latitude, row["gps_lat"], name)
            expect(facts.location?.longitude, row["gps_lon"], name)
            let burst = facts.metadata?.burstIdentifier ?? ""
            #expect(burst == row["burst_id"] ?? "", "\(name)")
            let content = facts.metadata?.contentIdentifier ?? ""
            #expect(content == row["live_content_id"] ?? "", "\(name)")
            let isScreenshot = name.contains("screenshot")
            #expect(facts.mediaSubtypes.contains(.photoScreenshot) == isScreenshot, "\(name)")
        }
    }

    private func expect(_ found: Double?, _ expected: String?, _ name: String) {
        let expected = expected.flatMap(Double.init)
        #expect((found == nil) == (expected == nil), "\(name)")
        if let found, let expected { #expect(abs(found - expected) < 1e-6, "\(name)") }
    }
}
