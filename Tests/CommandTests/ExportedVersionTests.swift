// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Exports of saved versions.
@Suite("exports of saved versions")
struct ExportedVersionTests: ExportingTests {
    let bench: Workbench
    let folder: String
    private let ids: [String]

    /// A photo with the version "warm" and other current edits, and one without versions.
    init() throws {
        (bench, ids) = try Workbench.withPhotos(2)
        folder = bench.folder.file("out")
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        try edit(7)
        _ = try bench.json("version", "save", ids[0], "--name", "warm")
        try edit(20)
    }

    private func edit(_ amount: Int) throws {
        _ = try bench.json("edit", ids[0], "--with", "adder", "--set", "amount=\(amount)")
    }

    private func picture(_ row: [String: Any]?) throws -> TestPicture {
        let path = try #require(row?["path"] as? String)
        return try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The original with an amount added to each sample.
    private func sum(_ amount: Int) throws -> TestPicture {
        let other = bench.folder.file("originals")
        let row = try bench.json("export", ids[0], "--version", "original", "--to", other).first
        var picture = try picture(row)
        picture.samples = picture.samples.map { UInt8(min(255, Int($0) + amount)) }
        return picture
    }

    private func reason(_ rows: [[String: Any]]) -> String? { rows.first?["reason"] as? String }

    @Test("a version is exported beside the current edits, and both are updated separately")
    func beside() throws {
        let warm = try export(ids[0], "--version", "warm")
        #expect(try picture(warm.first) == sum(7))
        // The name is matched as by version use.
        #expect(reason(try export(ids[0], "--version", "WARM")) == "unchanged")
        let current = try export(ids[0])
        #expect(reason(current) == "new")
        #expect(try picture(current.first) == sum(20))
        #expect(try picture(warm.first) == sum(7))
        #expect(reason(try export(ids[0])) == "unchanged")
        #expect(reason(try export(ids[0], "--version", "warm")) == "unchanged")
        _ = try bench.json("version", "save", ids[0], "--name", "warm", "--replace")
        let replaced = try export(ids[0], "--version", "warm")
        #expect(reason(replaced) == "content")
        #expect(replaced.first?["path"] as? String == warm.first?["path"] as? String)
        #expect(try picture(replaced.first) == sum(20))
        #expect(try files().count == 2)
        // The library is not changed.
        #expect(try bench.position(ids[0]) == (2, 2))
    }

    @Test("the name of the version is part of names, and converted pictures show the version")
    func names() throws {
        let rows = try export(
            ids[0], "--version", "warm", "--name", "{name}-{version}", "--format", "tiff")
        #expect(try files().keys.sorted() == ["picture0-warm.tif"])
        #expect(try picture(rows.first) == sum(7))
    }

    @Test("a version whose picture is not stored is rendered")
    func notStored() throws {
        let before = try export(ids[0], "--version", "warm")
        let history = try bench.json("dump", ids[0])
        let versions = try #require(history.first?["versions"] as? [[String: Any]])
        #expect(versions.count == 1)
        // The picture of the version is the only blob with these bytes.
        let path = try #require(before.first?["path"] as? String)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        let manager = FileManager.default
        let blob = try #require(
            try manager.subpathsOfDirectory(atPath: blobs).first {
                manager.contents(atPath: "\(blobs)/\($0)") == bytes
            })
        try manager.removeItem(atPath: "\(blobs)/\(blob)")
        try manager.removeItem(atPath: path)
        #expect(try picture(export(ids[0], "--version", "warm").first) == sum(7))
    }

    @Test("filters leave out photos without the version, which are counted")
    func leftOut() throws {
        let result = try bench.run("export", "--all", "--version", "warm", "--to", folder, "--json")
        #expect(result.status == 0)
        #expect(try result.objects.compactMap { $0["id"] as? String } == [ids[0]])
        #expect(result.errors.contains("1 photo without a version \"warm\""), "\(result.errors)")
        let named = try bench.run(
            "export", ids[0], ids[1], "--version", "warm", "--to", folder, "--json")
        #expect(named.status == 1)
        let failed = try #require(try named.objects.last)
        #expect(failed["id"] as? String == ids[1])
        #expect(failed["errorCode"] as? String == "noSuchVersion")
        // A misspelt name must not remove files.
        let before = try files()
        let wrong = try bench.run(
            "export", "--all", "--version", "wram", "--prune", "--to", folder)
        #expect(wrong.status == 66, "\(wrong)")
        #expect(wrong.errors.contains("unadjusted"), "\(wrong.errors)")
        #expect(try files() == before)
    }

    @Test("a stale version is rendered for the export, or kept with --stale keep")
    func stale() throws {
        let stored = try picture(export(ids[0], "--version", "warm").first)
        try TestExtension.buildAdder(
            defines: ["DRAWS_ELSE", "VERSION=\"2.0\""], manifest: ["version": "2.0"],
            in: bench.folder.file("extensions"))
        #expect(
            reason(try export(ids[0], "--version", "warm", "--stale", "keep")) == "unchanged")
        let rendered = try export(ids[0], "--version", "warm")
        #expect(reason(rendered) == "rerendered")
        #expect(try picture(rendered.first) != stored)
        #expect(reason(try export(ids[0], "--version", "warm")) == "unchanged")
        let other = bench.folder.file("other")
        let kept = try bench.json(
            "export", ids[0], "--version", "warm", "--stale", "keep", "--to", other)
        #expect(try picture(kept.first) == stored)
        // The missing extension is reported, and the stored picture is exported.
        try FileManager.default.removeItem(
            atPath: bench.folder.file("extensions/adder.editingextension"))
        let last = bench.folder.file("last")
        let missing = try bench.run(
            "export", ids[0], "--version", "warm", "--to", last, "--json")
        #expect(missing.status == 0)
        #expect(try picture(missing.objects.first) == stored)
    }
}
