// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("corpus files", .corpus)
struct CorpusTests {
    @Test(
        "P-03 P-04 P-05 P-07 P-12 photos import with their size, date, location, burst and content")
    func imports() throws {
        let bench = try Workbench()
        let rows = try Corpus.photos()
        #expect(rows.count > 20)
        for row in rows {
            let name = try #require(row["path"])
            let imported = try bench.json("import", try Corpus.path(name))
            let status = imported.first?["status"] as? String
            #expect(status == "imported" || status == "duplicate", "\(name)")
            let id = try #require(imported.first?["id"] as? String, "\(name)")
            let shown = try #require(try bench.json("show", id).first)
            if let size = Corpus.size(row) {
                let found = "\(shown["pixelWidth"] ?? "")x\(shown["pixelHeight"] ?? "")"
                #expect(found == size, "\(name)")
            }
            #expect(shown["creationDate"] as? String == Corpus.date(row), "\(name)")
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

    /// Expects one listed picture per burst by default, and every picture on request.
    private func expectBursts(_ rows: [Corpus.Row], _ bench: Workbench) throws {
        let named = rows.compactMap { $0["burst_id"] }.filter { !$0.isEmpty }
        #expect(!named.isEmpty)
        let listed = try bench.json("list").compactMap { $0["burstIdentifier"] as? String }
        #expect(listed.sorted() == Set(named).sorted())
        for burst in Set(named) {
            let members = try bench.json("list", "--burst", burst)
            #expect(members.count == named.count { $0 == burst })
        }
    }

    private func expect(_ found: Double?, _ expected: String?, _ name: String) throws {
        guard let expected = expected.flatMap(Double.init) else {
            #expect(found == nil, "\(name)")
            return
        }
        #expect(abs(try #require(found, "\(name)") - expected) < 1e-6, "\(name)")
    }

    @Test("broken files are rejected with status 65 and named; nothing is imported")
    func rejects() throws {
        let bench = try Workbench()
        for row in try Corpus.rows(expecting: "reject") {
            let name = try #require(row["path"])
            let result = try bench.run("import", try Corpus.path(name))
            #expect(result.status == 65, "\(name): \(result.status) \(result.errors)")
            #expect(result.errors.contains(name))
        }
        #expect(try bench.json("list").isEmpty)
        #expect(try bench.run("check").status == 0)
    }

    @Test("dubious files are imported or rejected without affecting the next file")
    func dubious() throws {
        let bench = try Workbench()
        for row in try Corpus.rows(expecting: "no-crash") {
            let name = try #require(row["path"])
            let result = try bench.run("import", try Corpus.path(name))
            #expect([0, 65].contains(result.status), "\(name): \(result.status) \(result.errors)")
            if result.status == 65 { #expect(result.errors.contains(name)) }
        }
        #expect(try bench.run("import", try bench.picture()).status == 0)
        #expect(try bench.run("check").status == 0)
    }
}
