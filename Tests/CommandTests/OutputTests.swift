// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The output with and without `--json`.
@Suite("output")
struct OutputTests {
    private static let assetKeys: Set<String> = [
        "id", "mediaType", "mediaSubtypes", "pixelWidth", "pixelHeight", "creationDate",
        "modificationDate", "location", "duration", "isFavorite", "isHidden", "burstIdentifier",
        "filename", "filenameBytes", "folder", "folderBytes", "adjustmentFormatIdentifier",
    ]

    /// The additional keys of `show`.
    private static let detailKeys: Set<String> = [
        "keywords", "keywordPaths", "title", "description", "creator", "copyright", "label",
        "rating", "exposureTime",
        "camera", "lens", "contentIdentifier", "representsBurst",
        "burstSelectionTypes", "video", "editLoss", "original", "edits",
    ]

    /// The keys of `edit`, `copy-edits` and other commands that change edits.
    private static let editKeys: Set<String> = [
        "id", "extension", "input", "edit", "rendition", "edits", "state", "status", "warnings",
        "error",
    ]

    private func keys(_ objects: [[String: Any]]) -> [Set<String>] {
        objects.map { Set($0.keys) }
    }

    @Test("import, list and show print the documented keys, with null for missing values")
    func assets() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a \"quoted\" name.png")
        let imported = try bench.json("import", path)
        #expect(
            keys(imported) == [["id", "path", "pathBytes", "status", "error", "resource", "kept"]])
        #expect(imported[0]["status"] as? String == "imported")
        #expect(imported[0]["path"] as? String == path)
        #expect(imported[0]["error"] is NSNull)
        let again = try bench.json("import", path)
        #expect(again[0]["status"] as? String == "duplicate")
        #expect(again[0]["id"] as? String == imported[0]["id"] as? String)

        let listed = try bench.json("list")
        #expect(keys(listed) == [Self.assetKeys])
        #expect(listed[0]["mediaType"] as? String == "image")
        #expect(listed[0]["pixelWidth"] as? Int == 37)
        #expect(listed[0]["pixelHeight"] as? Int == 23)
        #expect(listed[0]["filename"] as? String == "a \"quoted\" name.png")
        #expect(listed[0]["duration"] as? Int == 0)
        #expect(listed[0]["isFavorite"] as? Bool == false)
        for key in [
            "creationDate", "location", "burstIdentifier", "adjustmentFormatIdentifier",
            "filenameBytes",
        ] {
            #expect(listed[0][key] is NSNull, "\(key)")
        }
        let date = try #require(listed[0]["modificationDate"] as? String)
        #expect(date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)
        let id = try #require(listed[0]["id"] as? String)
        #expect(keys(try bench.json("show", id)) == [Self.assetKeys.union(Self.detailKeys)])
    }

    @Test("edit, history, undo and redo print the documented keys")
    func edits() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let edited = try bench.json("edit", ids[0], "--with", "sepia")
        #expect(keys(edited) == [Self.editKeys])
        #expect(edited[0]["extension"] as? String == "org.edithost.sepia")
        #expect(edited[0]["input"] as? String == "original")
        #expect(edited[0]["status"] as? String == "committed")
        #expect((edited[0]["rendition"] as? String)?.count == 64)
        let documented: Set<String> = ["id", "edit", "extension", "state", "error"]
        let history = try bench.json("history", ids[0])
        #expect(history.count == 2)
        #expect(history.allSatisfy { documented.isSubset(of: Set($0.keys)) })
        #expect(history[0]["edit"] is NSNull)
        #expect(history[1]["edit"] as? String == edited[0]["edit"] as? String)
        for verb in ["undo", "redo", "revert"] {
            #expect(keys(try bench.json(verb, ids[0])) == [documented])
        }
        let shown = try bench.json("show", ids[0])
        #expect((shown[0]["edits"] as? [Any])?.isEmpty == true)
    }

    @Test("one edit, several edits and failed edits print rows with the same keys")
    func editRows() throws {
        let (bench, ids) = try Workbench.withPhotos(2, extensions: ["SepiaFilter"])
        let one = try bench.json("edit", ids[0], "--with", "sepia")[0]
        let shown = try #require(try bench.json("edits", "list", ids[0]).first)
        #expect(one["edit"] as? String == shown["edit"] as? String)
        #expect((one["edits"] as? [String])?.first == shown["edit"] as? String)
        #expect(one["state"] as? Int == 1)

        let several = try bench.json("edit", ids[1], "--with", "sepia", "--then", "sepia")[0]
        #expect(several["extension"] as? String == "org.edithost.sepia")
        #expect(several["edit"] as? String == (several["edits"] as? [String])?.last)
        #expect((several["edits"] as? [String])?.count == 2)
        #expect((several["rendition"] as? String)?.count == 64)
        #expect(several["input"] is NSNull)

        let copied = try bench.json("copy-edits", ids[0], ids[1], "--replace")[0]
        let again = try bench.json("copy-edits", ids[0], ids[1], "--replace")[0]
        #expect(again["status"] as? String == "unchanged")
        #expect(again["edit"] is NSNull && again["rendition"] is NSNull)
        let failed = try bench.run(
            "edit", ids[0], "0000", "--with", "sepia", "--then", "sepia", "--keep-going", "--json")
        #expect(failed.status == 1)
        let rows = try failed.objects
        #expect(rows.map { $0["status"] as? String } == ["failed", "committed"])
        #expect(Set(keys([one, several, copied, again, rows[1]])) == [Self.editKeys])
        #expect(keys([rows[0]]) == [Self.editKeys.union(["errorCode"])])
    }

    @Test("rerender, check, prune and extensions print the documented keys")
    func others() throws {
        let (bench, ids) = try Workbench.withPhotos(2, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        let rendered = try bench.json("rerender", "--all", "--force")
        let item: Set<String> = ["id", "status", "reason"]
        #expect(keys(rendered) == [item, item, ["rendered", "upToDate", "failed"]])
        #expect(rendered[2]["rendered"] as? Int == 1)
        #expect(rendered[2]["upToDate"] as? Int == 1)
        let fresh = try bench.json("rerender", ids[0], "--dry-run")
        #expect(fresh[0]["status"] as? String == "upToDate")

        let checked = try bench.json("check", "--read-data", "100")
        #expect(
            keys(checked) == [
                ["status", "findings", "files", "read", "decoded", "unused", "trashed"]
            ])
        #expect(checked[0]["status"] as? String == "clean")
        #expect(
            keys(try bench.json("prune")) == [
                ["photos", "renditions", "files", "bytes", "trashed", "suspects"]
            ])

        let facts: Set<String> = ["identifier", "name", "version", "path", "status", "reason"]
        let statusKeys: Set<String> = ["trust", "wasTrusted", "quarantined"]
        let publication: Set<String> = [
            "vendor", "author", "homepage", "support", "license", "description", "categories",
            "icon",
        ]
        #expect(
            keys(try bench.json("extensions", "list")) == [
                facts.union(statusKeys).union(publication)
            ])
        let answers = try bench.json("extensions", "list", "--for", ids[0])
        #expect(keys(answers) == [facts.union(["supported", "canHandle"])])
        #expect(answers[0]["supported"] as? Bool == true)
        #expect(answers[0]["canHandle"] as? Bool == true)
        let shown = try #require(try bench.json("extensions", "show", "sepia").first)
        let parameters = try #require(shown["parameters"] as? [[String: Any]])
        #expect(parameters.map { $0["name"] as? String } == ["intensity"])
        #expect(parameters[0]["minimum"] as? Double == 0)
        #expect(parameters[0]["maximum"] as? Double == 1)
        #expect(parameters[0]["default"] as? Double == 1)
    }

    @Test("check exits 1 for leftovers and 2 for damage")
    func check() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        #expect(try bench.run("check").status == 0)
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        let files = FileManager.default
        try files.createDirectory(atPath: "\(blobs)/00", withIntermediateDirectories: true)
        try Data("left over".utf8).write(
            to: URL(
                fileURLWithPath: "\(blobs)/00/00" + String(repeating: "0", count: 62)))
        #expect(try bench.run("check").status == 1)
        try EditTests.loseOriginal(of: ids[0], in: bench)
        let damaged = try bench.run("check", "--json")
        #expect(damaged.status == 2)
        let finding = try #require(
            try damaged.objects.first { $0["kind"] as? String == "originalMissing" })
        #expect(finding["id"] as? String == ids[0])
        #expect(finding["severity"] as? String == "damage")
    }

    @Test("without --json, list and history print aligned tables")
    func tables() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        let short = ids[0].prefix(8)
        #expect(
            try bench.run("list").output == """
                ID         SIZE  TAKEN  EDITED  FILE
                \(short)  37x23  -      edited  picture0.png

                """)
        let history = try bench.run("history", ids[0]).output.split(separator: "\n")
        #expect(history.count == 3)
        #expect(history[1].hasPrefix("       0  original  -                   "))
        #expect(history[2].hasPrefix("*      1  "))
    }

    @Test("tables show local times, six decimals of a position, and sizes with units")
    func units() throws {
        let bench = try Workbench()
        let path = bench.folder.file("dated.jpg")
        try TestPicture.gradient().encoded("jpeg").write(to: URL(fileURLWithPath: path))
        _ = try bench.json("import", path)
        let id = try #require(try bench.json("list").first?["id"] as? String)
        let set = [
            "set", id, "--date", "2024-05-31T18:30:00.25+02:00", "--location", "52.5,-13.37771234",
        ]
        #expect(try bench.run(set).status == 0)
        #expect(try bench.run("list").output.contains("  2024-05-31 18:30:00+02:00  "))
        _ = try bench.json("set", id, "--date", "2024-05-31")
        #expect(try bench.run("list").output.contains("  2024-05-31  "))
        for (zone, hours) in [("UTC", 0), ("<+05>-5", 5)] {
            let shown = try bench.run("show", id, environment: ["TZ": zone]).output
            #expect(shown.contains("52.500000, -13.377712\n"), "\(shown)")
            // The calendar of the test's own, for the zone of the program.
            let row = try #require(try bench.json("show", id).first)
            let utc = try #require(row["modificationDate"] as? String)
            let digits = String(utc.prefix(19)) + "Z"
            let date = try #require(ISO8601DateFormatter().date(from: digits))
            let local = ISO8601DateFormatter().string(from: date + Double(hours) * 3600)
            let words = local.prefix(19).replacingOccurrences(of: "T", with: " ")
            #expect(shown.contains("\(words)\n"), "\(zone): \(words) in \(shown)")
        }
        let files = try bench.run("resources", id).output
        let size = Double(try Data(contentsOf: URL(fileURLWithPath: path)).count)
        let kilobytes =
            size < 9950 ? String(format: "%.1f", size / 1000) : "\(Int(size / 1000 + 0.5))"
        #expect(
            files.contains(size < 1000 ? " \(Int(size)) bytes " : " \(kilobytes) kB "), "\(files)")
        let copy = path + ".copy.png"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let again = try bench.run("import", path, copy)
        #expect(again.output.hasSuffix("\n2 duplicates\n"), "\(again.output)")
    }

    @Test("a name cannot send control sequences to the terminal")
    func controlCharacters() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a\u{1B}[31m.png")
        #expect(try bench.run("import", path).output.contains("a\\u{1b}[31m.png"))
        #expect(!(try bench.run("list").output.contains("\u{1B}")))
        let listed = try bench.json("list")
        #expect(listed.first?["filename"] as? String == "a\u{1B}[31m.png")
    }
}
