// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport

/// Real files, and what their manifest says of them. The folder is named by `EDITHOST_CORPUS`.
@Suite("Facts of real files", .corpus)
struct CorpusFactsTests {
    /// The rows that describe pictures which can be decoded, by the names of the columns.
    private func rows() throws -> [[String: String]] {
        let folder = try #require(BuildProducts.corpus)
        let lines = try String(contentsOfFile: "\(folder)/manifest.tsv", encoding: .utf8)
            .split(whereSeparator: \.isNewline).map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
        let heading = try #require(lines.first)
        return lines.dropFirst()
            .map { Dictionary(zip(heading, $0), uniquingKeysWith: { first, _ in first }) }
            .filter {
                $0["expect"] == "import" && $0["media_type"] == "image"
                    && $0["libvips_8_14_1"]?.hasPrefix("fails") != true
            }
    }

    @Test("P-02 P-05 P-07 P-12 dates, positions, bursts and content identifiers of the manifest")
    func manifest() throws {
        let runner = try TestRunner()
        let rows = try rows()
        #expect(rows.count > 20)
        for row in rows {
            let name = try #require(row["path"])
            let file = try TestFile(path: "\(try #require(BuildProducts.corpus))/\(name)")
            let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
            let reply = try runner.ask(.run(job), [(.base, file.number)])
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            #expect(!report.warnings.contains { $0.contains("EXIF") }, "\(name)")
            let facts = try #require(report.facts)
            #expect(facts.creationDate?.text == Self.date(row, name), "\(name)")
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

    /// The date of two files that have several, by the order that is promised: Photoshop's in XMP
    /// before IPTC's and before that of the digitisation, which the manifest has.
    private static let others = [
        "photos/gps/thompson-springs.jpg": "2022-01-10T15:15:44.31",
        "reference/chelsea.png": "2009-02-09T09:11:30",
    ]

    /// `2016:10:09 14:44:18.445` by RFC 3339.
    private static func date(_ row: [String: String], _ name: String) -> String? {
        if let other = others[name] { return other }
        guard let text = row["creation_date"], text.count > 10 else { return nil }
        return text.prefix(10).replacingOccurrences(of: ":", with: "-") + "T" + text.dropFirst(11)
    }

    private func expect(_ found: Double?, _ expected: String?, _ name: String) {
        let expected = expected.flatMap(Double.init)
        #expect((found == nil) == (expected == nil), "\(name)")
        if let found, let expected { #expect(abs(found - expected) < 1e-6, "\(name)") }
    }
}
