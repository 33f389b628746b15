// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Real files, and what their manifest says of them. The folder is named by `EDITHOST_CORPUS`.
@Suite("Real files", .corpus)
struct CorpusTests {
    /// A row of the manifest, by the names of its columns.
    private typealias Row = [String: String]

    private func rows(expecting expected: String) throws -> [Row] {
        let text = try String(contentsOfFile: path("manifest.tsv"), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline).map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let heading = try #require(lines.first)
        return lines.dropFirst()
            .map { Row(zip(heading, $0), uniquingKeysWith: { first, _ in first }) }
            .filter { $0["expect"] == expected }
    }

    private func path(_ name: String) throws -> String {
        "\(try #require(BuildProducts.corpus))/\(name)"
    }

    @Test(
        "P-03 P-04 P-05 P-07 P-12 photographs import with size, date, position, burst and content")
    func imports() throws {
        let bench = try Workbench()
        let rows = try rows(expecting: "import").filter {
            $0["media_type"] == "image" && $0["libvips_8_14_1"]?.hasPrefix("fails") != true
        }
        #expect(rows.count > 20)
        for row in rows {
            let name = try #require(row["path"])
            let imported = try bench.json("import", try path(name))
            let status = imported.first?["status"] as? String
            #expect(status == "imported" || status == "duplicate", "\(name)")
            let id = try #require(imported.first?["id"] as? String, "\(name)")
            let shown = try #require(try bench.json("show", id).first)
            #expect("\(shown["pixelWidth"] ?? "")" == row["oriented_w"], "\(name)")
            #expect("\(shown["pixelHeight"] ?? "")" == row["oriented_h"], "\(name)")
            #expect(shown["creationDate"] as? String == Self.date(row, name), "\(name)")
            let content = shown["contentIdentifier"] as? String ?? ""
            #expect(content == row["live_content_id"] ?? "", "\(name)")
            let burst = shown["burstIdentifier"] as? String ?? ""
            #expect(burst == row["burst_id"] ?? "", "\(name)")
            let location = shown["location"] as? [String: Double]
            try expect(location?["latitude"], row["gps_lat"], name)
            try expect(location?["longitude"], row["gps_lon"], name)
        }
        #expect(try bench.run("check").status == 0)
        try expectBursts(rows, bench)
    }

    /// One picture is listed of each burst, and all when they are asked for.
    private func expectBursts(_ rows: [Row], _ bench: Workbench) throws {
        let named = rows.compactMap { $0["burst_id"] }.filter { !$0.isEmpty }
        #expect(!named.isEmpty)
        let listed = try bench.json("list").compactMap { $0["burstIdentifier"] as? String }
        #expect(listed.sorted() == Set(named).sorted())
        for burst in Set(named) {
            let members = try bench.json("list", "--burst", burst)
            #expect(members.count == named.count { $0 == burst })
        }
    }

    /// The date of two files that have several, by the order that is promised: Photoshop's in XMP
    /// before IPTC's and before that of the digitisation, which the manifest has.
    private static let others = [
        "photos/gps/thompson-springs.jpg": "2022-01-10T15:15:44.31",
        "reference/chelsea.png": "2009-02-09T09:11:30",
    ]

    /// `2016:10:09 14:44:18.445` by RFC 3339.
    private static func date(_ row: Row, _ name: String) -> String? {
        if let other = others[name] { return other }
        guard let text = row["creation_date"], text.count > 10 else { return nil }
        return text.prefix(10).replacingOccurrences(of: ":", with: "-") + "T"
            + text.dropFirst(11)
    }

    private func expect(_ found: Double?, _ expected: String?, _ name: String) throws {
        guard let expected = expected.flatMap(Double.init) else {
            #expect(found == nil, "\(name)")
            return
        }
        #expect(abs(try #require(found, "\(name)") - expected) < 1e-6, "\(name)")
    }

    @Test("Broken files are refused with 65 and a message that names them; nothing is imported")
    func rejects() throws {
        let bench = try Workbench()
        for row in try rows(expecting: "reject") {
            let name = try #require(row["path"])
            let result = try bench.run("import", try path(name))
            #expect(result.status == 65, "\(name): \(result.status) \(result.errors)")
            #expect(result.errors.contains(name))
        }
        #expect(try bench.json("list").isEmpty)
        #expect(try bench.run("check").status == 0)
    }

    @Test("Dubious files are imported or refused, and the next one is not the worse for it")
    func dubious() throws {
        let bench = try Workbench()
        for row in try rows(expecting: "no-crash") {
            let name = try #require(row["path"])
            let result = try bench.run("import", try path(name))
            #expect([0, 65].contains(result.status), "\(name): \(result.status) \(result.errors)")
            if result.status == 65 { #expect(result.errors.contains(name)) }
        }
        #expect(try bench.run("import", try bench.picture()).status == 0)
        #expect(try bench.run("check").status == 0)
    }
}
