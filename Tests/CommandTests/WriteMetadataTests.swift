// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `metadata write`.
@Suite("sidecars beside referenced originals")
struct WriteMetadataTests {
    private let bench: Workbench
    private let path: String
    private let id: String
    private var sidecar: String { path + ".xmp" }

    /// Imports a referenced picture, and describes it in the library.
    init() throws {
        bench = try Workbench()
        path = try bench.picture(name: "a.png")
        let rows = try bench.json("import", "--reference", bench.folder.file("photographs"))
        id = try #require(rows.first?["id"] as? String)
        _ = try bench.json(
            "set", id, "--rating", "4", "--title", "A & B", "--keyword", "Travel|Rome",
            "--location", "52.5163,13.3777", "--date", "2024-05-31T18:30:00+02:00")
    }

    private func statuses(_ arguments: String...) throws -> [String] {
        try bench.json(arguments).compactMap { $0["status"] as? String }
    }

    private func text() throws -> String {
        try String(contentsOf: URL(fileURLWithPath: sidecar), encoding: .utf8)
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: sidecar))
    }

    @Test("a sidecar is written once, and the next import finds nothing new")
    func written() throws {
        let picture = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try statuses("metadata", "write", "--all", "--dry-run") == ["written"])
        #expect(!FileManager.default.fileExists(atPath: sidecar))
        let row = try #require(try bench.json("metadata", "write", "--all").first)
        #expect(row["status"] as? String == "written" && row["path"] as? String == sidecar)
        let before = try text()
        for part in ["A &amp; B", "Travel|Rome", "2024-05-31T18:30:00+02:00", ">4<"] {
            #expect(before.contains(part), "\(part)")
        }
        #expect(try statuses("metadata", "write", id) == ["unchanged"])
        let folder = bench.folder.file("photographs")
        #expect(try statuses("import", folder) == ["duplicate", "duplicate"])
        #expect(try text() == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == picture)
        #expect(try bench.run("check").status == 0)
    }

    @Test("properties of other programs are kept, and a change of another program is not replaced")
    func conflict() throws {
        _ = try bench.json("metadata", "write", id)
        let other = try text().replacingOccurrences(
            of: "<rdf:Description ", with: "<rdf:Description xmlns:o='http://o/' o:kept='yes' ")
        try write(other)
        let result = try bench.run("metadata", "write", id)
        #expect(result.status != 0 && result.errors.contains("--force"), "\(result.errors)")
        #expect(try text() == other)
        _ = try bench.json("import", bench.folder.file("photographs"))
        _ = try bench.json("set", id, "--rating", "5")
        #expect(try statuses("metadata", "write", id) == ["written"])
        #expect(try text().contains("o:kept") && text().contains(">5<"))
        try write(try text().replacingOccurrences(of: ">5<", with: ">1<"))
        #expect(try statuses("metadata", "write", id, "--force") == ["written"])
        #expect(try text().contains(">5<"))
        #expect(
            try statuses("import", bench.folder.file("photographs")) == ["duplicate", "duplicate"])
    }

    @Test("photos that are stored in the library are skipped")
    func stored() throws {
        let stored = try bench.importPicture(seed: 1)
        let row = try #require(try bench.json("metadata", "write", stored).first)
        #expect(row["status"] as? String == "skipped" && row["path"] is NSNull)
        try FileManager.default.removeItem(atPath: path)
        #expect(try bench.run("metadata", "write", id).status != 0)
    }
}
