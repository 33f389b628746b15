// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LibraryTestSupport
import TestSupport
import Testing

/// Exports after an extension has changed.
@Suite("exports of stale pictures")
struct StaleExportTests: ExportingTests {
    let bench: Workbench
    private let ids: [String]
    let folder: String
    private let extensions: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(2)
        folder = bench.folder.file("out")
        extensions = bench.folder.file("extensions")
        try TestExtension.buildAdder(in: extensions)
        try bench.assumeReproducing()
        _ = try bench.json("edit", ids[0], ids[1], "--with", "adder", "--set", "amount=7")
    }

    /// Installs another version of the extension, which draws other pixels by default.
    private func upgrade(defines: [String] = ["DRAWS_ELSE"]) throws {
        try TestExtension.buildAdder(
            defines: defines + ["VERSION=\"2.0\""], manifest: ["version": "2.0"],
            in: extensions)
    }

    private func reasons(_ arguments: String...) throws -> [String] {
        try bench.json(["export", "--all", "--to", folder] + arguments)
            .compactMap { $0["reason"] as? String }
    }

    private func picture(_ object: [String: Any]?) throws -> TestPicture {
        let path = try #require(object?["path"] as? String)
        return try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private var staleCount: Int? {
        get throws { try bench.json("rerender", "--all", "--dry-run").last?["rendered"] as? Int }
    }

    private let change = "org.example.adder 1.0 became 2.0"

    @Test("stale pictures of a backup are rendered for the export alone")
    func backup() throws {
        let backup = bench.folder.file("backup")
        #expect(try bench.run("backup", backup).status == 0)
        try upgrade()
        func export(_ library: String?, to folder: String) throws -> [TestPicture] {
            let words = ["export", "--all", "--to", folder]
            let rows = try bench.json(words + (library.map { ["--library", $0] } ?? []))
            return try rows.map { try picture($0) }
        }
        let copied = try export(backup, to: bench.folder.file("copied"))
        #expect(copied.count == 2)
        #expect(try export(nil, to: bench.folder.file("own")) == copied)
    }

    @Test("stale pictures are rendered again in the library, and the reason is explained")
    func rendered() throws {
        #expect(try reasons() == ["new", "new"])
        let before = try files()
        try upgrade()
        let first = try export(ids[0])
        #expect(first[0]["reason"] as? String == "rerendered")
        #expect(first[0]["change"] as? String == change)
        #expect(try staleCount == 1)
        // Stored and converted pictures have the same look.
        let png = try export(ids[0], "--format", "png")
        #expect(try picture(png.first) == picture(first.first))
        let explained = try bench.run("export", "--all", "--to", folder, "--explain")
        #expect(explained.output.contains("unchanged"), "\(explained)")
        #expect(explained.output.contains("written: re-rendered: \(change)"), "\(explained)")
        #expect(try staleCount == 0)
        #expect(try reasons() == ["unchanged", "unchanged"])
        let after = try files().filter { before[$0.key] != nil }
        #expect(after.keys.sorted() == before.keys.sorted())
        #expect(after.allSatisfy { before[$0.key] != $0.value })
    }

    @Test("after a rerender, the explanation names the versions; after an edit, it does not")
    func afterRerender() throws {
        #expect(try reasons() == ["new", "new"])
        try upgrade()
        _ = try bench.json("rerender", ids[0], ids[1])
        _ = try bench.json("undo", ids[1])
        let exported = try bench.json("export", ids[0], ids[1], "--to", folder)
        #expect(exported.map { $0["reason"] as? String } == ["rerendered", "content"])
        #expect(exported[0]["change"] as? String == change)
        #expect(exported[1]["change"] is NSNull)
    }

    @Test("a version that renders equal pictures is named if pictures are converted")
    func equalPictures() throws {
        let png = ["--format", "png"]
        func reasons() throws -> [[String?]] {
            try [[], png].map { words in
                let rows = try bench.json(["export", ids[0], "--to", folder] + words)
                return [rows.first?["reason"] as? String, rows.first?["change"] as? String]
            }
        }
        _ = try reasons()
        try upgrade(defines: [])
        #expect(try reasons() == [["unchanged", nil], ["rerendered", change]])
        #expect(try reasons() == [["unchanged", nil], ["unchanged", nil]])
    }

    @Test("versions are named if stale pictures are rendered for the export alone")
    func backupReasons() throws {
        let backup = bench.folder.file("backup")
        #expect(try bench.run("backup", backup).status == 0)
        func export() throws -> [String: Any]? {
            try bench.json("export", ids[0], "--to", folder, "--library", backup).first
        }
        #expect(try export()?["reason"] as? String == "new")
        try upgrade()
        let exported = try export()
        #expect(exported?["reason"] as? String == "rerendered")
        #expect(exported?["change"] as? String == change)
        #expect(try export()?["reason"] as? String == "unchanged")
    }

    @Test("an export does not upgrade a library of an older format")
    func olderFormat() throws {
        try OldLibrary.downgrade(bench.library, to: 13)
        try upgrade()
        let exported = try export(ids[0], ids[1])
        let version = try DatabaseQueue(path: bench.library + "/library.sqlite").read {
            try Int.fetchOne($0, sql: "PRAGMA user_version")
        }
        #expect(version == 13)
        // The same pictures as those of the upgraded library.
        #expect(try bench.run("rerender", "--all").status == 0)
        let other = bench.folder.file("other")
        let own = try bench.json("export", ids[0], ids[1], "--to", other)
        #expect(try exported.map { try picture($0) } == own.map { try picture($0) })
    }

    @Test("another build of the same version is named too")
    func otherBuild() throws {
        #expect(try reasons() == ["new", "new"])
        try TestExtension.buildAdder(defines: ["DRAWS_ELSE"], in: extensions)
        let exported = try export(ids[0])
        #expect(exported[0]["change"] as? String == "another build of org.example.adder")
    }

    @Test("--stale keep exports stored pictures, also converted, and reports their number once")
    func kept() throws {
        let stored = try export(ids[0], ids[1])
        try upgrade()
        #expect(try reasons("--stale", "keep") == ["unchanged", "unchanged"])
        let other = bench.folder.file("other")
        let result = try bench.run(
            "export", "--all", "--to", other, "--format", "png", "--stale=keep", "--json")
        #expect(result.status == 0)
        #expect(
            result.errors.contains("2 stale pictures were exported as stored"), "\(result.errors)")
        let converted = try result.objects
        for object in stored {
            let png = converted.first { $0["id"] as? String == object["id"] as? String }
            #expect(try picture(png) == picture(object))
        }
        #expect(try staleCount == 2)
        let quiet = try bench.run(
            "export", "--all", "--to", other, "--format", "png", "--stale", "keep")
        #expect(!quiet.errors.contains("stale"), "\(quiet.errors)")
    }

    @Test("files that are not written are not rendered")
    func never() throws {
        #expect(try reasons() == ["new", "new"])
        try upgrade()
        #expect(try reasons("--overwrite", "never") == ["unchanged", "unchanged"])
        #expect(try staleCount == 2)
        _ = try bench.json("export", "--all", "--version", "original", "--to", folder)
        #expect(try staleCount == 2)
    }

    @Test("without its extension, a picture is exported as stored, which is reported once")
    func missing() throws {
        let stored = try export(ids[0], ids[1])
        try FileManager.default.removeItem(atPath: extensions + "/adder.editingextension")
        let other = bench.folder.file("other")
        let result = try bench.run("export", ids[0], ids[1], "--to", other, "--json")
        #expect(result.status == 0)
        #expect(
            result.errors.contains("2 pictures were exported as stored, and may be stale"),
            "\(result.errors)")
        #expect(result.errors.contains("org.example.adder"), "\(result.errors)")
        for (object, old) in zip(try result.objects, stored) {
            #expect(try picture(object) == picture(old))
        }
        #expect(try reasons() == ["unchanged", "unchanged"])
    }

    @Test("a picture that cannot be rendered again is not exported with its old look")
    func failing() throws {
        let before = try export(ids[0])
        try TestExtension.buildAdder(defines: ["CRASHES_OVER_RECIPE"], in: extensions)
        let result = try bench.run("export", ids[0], "--to", folder, "--format", "png")
        #expect(result.status == 70, "\(result)")
        #expect(result.errors.contains("--stale keep"), "\(result.errors)")
        #expect(try files().count == 1)
        let kept = try bench.run("export", ids[0], "--to", folder, "--stale", "keep", "--json")
        #expect(kept.status == 0)
        #expect(try picture(kept.objects.first) == picture(before.first))
    }

    @Test("other values of --stale are usage errors")
    func wrong() throws {
        for words in [["--stale", "maybe"], ["--stale=maybe"], ["--stale-pictures", "maybe"]] {
            let result = try bench.run(["export", ids[0], "--to", folder] + words)
            #expect(result.status == 64, "\(result)")
            #expect(result.errors.contains("keep"), "\(result.errors)")
        }
    }
}
