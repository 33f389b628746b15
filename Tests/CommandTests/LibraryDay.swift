// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A day of a library, from the first import of a tree to a restored backup, with every count and every file that the
/// commands leave. Each step continues from the one before.
struct LibraryDay {
    let bench: Workbench
    var tree: PhotographerTree
    /// The number of photos and videos.
    var count: Int { tree.values.count }

    init(years: Int, hasVideos: Bool) throws {
        bench = try Workbench(extensions: ["SepiaFilter", "CropRotate"])
        try bench.assumeReproducing()
        tree = try PhotographerTree(in: bench.folder, years: years, hasVideos: hasVideos)
        #expect(try contents("tree").count == tree.count)
    }

    /// All steps on a library that stores the files.
    mutating func spend() throws {
        try importTwice()
        try rate()
        let model = try edit()
        try export()
        try deleteAndRestore()
        try undo(model)
        try readJournal()
        try repair(backUp())
        try restoreElsewhere()
    }

    // MARK: - Steps

    private func importTwice() throws {
        let first = try bench.run("import", "tree", "--json")
        #expect(first.status == 1)
        #expect(try fates(first.objects) == tree.files)
        try expectValues()
        try importUnchanged()
    }

    /// Other programs rate and describe; a rating set here is kept.
    private mutating func rate() throws {
        #expect(try bench.json("set", "--text", "digikam-", "--rating", "3").count == tree.years)
        tree.expect("rating", "3", of: "digikam")
        let changed = try tree.change()
        let rows = try bench.json("import", "tree")
        let expected = tree.unchangedFiles.merging(changed.map { ($0, "updated") }) { $1 }
        #expect(try fates(rows) == expected)
        let kept = rows.filter { ($0["kept"] as? [Any])?.isEmpty == false }
            .compactMap { $0["path"] as? String }
        #expect(kept.count == tree.years && kept.allSatisfy { $0.hasSuffix(".png") }, "\(kept)")
        try expectValues()
        try importUnchanged()
    }

    /// A preset is made of one photo's edit and applied to all.
    ///
    /// - Returns: The photo.
    private func edit() throws -> String {
        let model = try #require(
            try bench.json("list", "--text", "plain-2010").first?["id"] as? String)
        _ = try bench.json("edit", model, "--with", "sepia", "--set", "intensity=0.4")
        _ = try bench.json("preset", "save", "look", "--from", model)
        try editAll("--preset", "look")
        let status = try #require(try bench.json("status").first)
        let videos = tree.hasVideos ? tree.years : 0
        #expect(status["photos"] as? Int == count - videos && status["videos"] as? Int == videos)
        #expect(status["edited"] as? Int == count)
        return model
    }

    private func export() throws {
        try export(to: "out", written: count)
        #expect(try Set(contents("out").keys) == tree.exportedNames)
        let before = try FolderRecord(bench.folder.file("out"))
        try exportUnchanged()
        // The folder's own date changes.
        let changed = try FolderRecord(bench.folder.file("out")).differences(from: before)
        #expect(changed.filter { $0 != "." } == [])
        try export(to: "again", written: count)
        #expect(try contents("again") == contents("out"))
    }

    private func deleteAndRestore() throws {
        let before = try look()
        let deleted = try ids("list", "--text", "plain-")
        #expect(try ids("delete", "--text", "plain-") == deleted && deleted.count == tree.years)
        let more = try unchanged { try bench.json("delete", "--text", "plain-") }
        #expect(more.isEmpty)
        #expect(try ids("trash", "list") == deleted)
        #expect(try ids("list").count == count - tree.years)
        try export(to: "out", written: 0, of: count - tree.years)
        let words = ["trash", "restore"] + deleted.sorted()
        #expect(try Set(bench.json(words).compactMap { $0["id"] as? String }) == deleted)
        // They are no longer in the trash.
        let again = try unchanged { try bench.run(words) }
        #expect(again.status == 66)
        #expect(try look() == before)
        try exportUnchanged()
        #expect(try contents("again") == contents("out"))
    }

    /// A batch is undone for the photos that it changed, and an older command is undone and redone.
    private func undo(_ model: String) throws {
        let before = try look()
        let turn = ["--with", "croprotate", "--set", "turns=1"]
        _ = try bench.json(["edit", model] + turn)
        let turned = try look()
        try editAll(turn)
        try expectUndone(count - 1, "--last")
        #expect(try look() == turned)
        try expectUndone(1, "--last")
        #expect(try look() == before)
        try exportUnchanged()
        let set = try #require(
            try bench.json("log").first { $0["command"] as? String == "set" }?["entry"] as? String)
        try expectUndone(tree.years, set)
        // As it was imported, before the sidecar changed.
        #expect(try bench.json("list", "--text", "digikam-", "--rating", "4").count == tree.years)
        let last = try #require(try bench.json("log").first?["entry"] as? String)
        try expectUndone(tree.years, last)
        #expect(try look() == before)
    }

    /// The journal has one entry for each command that changed something, the newest first.
    private func readJournal() throws {
        let (all, years) = (count, tree.years)
        let expected = [
            ("undo", years), ("undo", years), ("undo", 1), ("undo", all - 1), ("edit", all - 1),
            ("edit", 1), ("trash restore", years), ("delete", years), ("edit", all - 1),
            ("edit", 1), ("import", 3 * years), ("set", years), ("import", all),
        ].map { "\($0) of \($1)" }
        let found = try bench.json("log", "--limit", "0").map {
            "\($0["command"] as? String ?? "") of \($0["photos"] as? Int ?? 0)"
        }
        #expect(found == expected)
    }

    /// - Returns: The folder of the backup.
    private func backUp() throws -> String {
        let backup = bench.folder.file("backup")
        let first = try #require(try bench.json("backup", backup).first)
        let files = try contents("Photos.editlibrary/blobs")
        #expect(first["copied"] as? Int == files.count && first["failed"] as? Int == 0)
        let second = try #require(try bench.json("backup", backup).first)
        #expect(second["copied"] as? Int == 0 && second["present"] as? Int == files.count)
        #expect(try contents("backup/blobs") == files)
        let snapshots = try bench.json("backup", "list", backup)
        #expect(snapshots.map { $0["photos"] as? Int } == [count, count])
        return backup
    }

    /// Damages the original, the sidecar and the rendition of a photo.
    private func repair(_ backup: String) throws {
        let files = try contents("Photos.editlibrary/blobs")
        let photo = try #require(
            try bench.json("list", "--text", "darktable-2010").first?["id"] as? String)
        let resources = try bench.json("resources", photo)
        for type in ["photo", "metadataSidecar", "fullSizePhoto"] {
            let hash = try #require(
                resources.first { $0["type"] as? String == type }?["hash"] as? String)
            let blob = bench.folder.file("Photos.editlibrary/blobs/\(hash.prefix(2))/\(hash)")
            #expect(chmod(blob, 0o644) == 0)
            try Data("damage".utf8).write(to: URL(fileURLWithPath: blob))
        }
        #expect(try bench.run("check", "--read-data", "100").status == 2)
        let options = ["check", "--read-data", "100", "--repair", "--from", backup]
        let repaired = try bench.run(options)
        #expect(repaired.status == 0, "\(repaired.output)")
        #expect(try contents("Photos.editlibrary/blobs") == files)
        #expect(try contents("Photos.editlibrary/quarantine").count == 3)
        let again = try unchanged { try bench.run(options) }
        #expect(again.status == 0, "\(again.output)")
        try exportUnchanged()
    }

    private func restoreElsewhere() throws {
        let elsewhere = ["--library", bench.folder.file("Elsewhere.editlibrary")]
        #expect(try bench.run(["restore", bench.folder.file("backup")] + elsewhere).status == 0)
        let here = try bench.run("dump", "--all").output
        #expect(try !here.isEmpty && bench.run(["dump", "--all"] + elsewhere).output == here)
        #expect(
            try contents("Elsewhere.editlibrary/blobs") == contents("Photos.editlibrary/blobs"))
        #expect(try bench.run(["check", "--read-data", "100"] + elsewhere).status == 0)
        try export(to: "elsewhere", written: count, elsewhere)
        #expect(try contents("elsewhere") == contents("out"))
    }

    // MARK: - Counts and files

    /// What an import did with each file, by its path in the tree.
    func fates(_ rows: [[String: Any]]) throws -> [String: String] {
        let pairs = try rows.map { row in
            let path = try #require(row["path"] as? String)
            return (String(path.dropFirst("tree/".count)), try #require(row["status"] as? String))
        }
        return try Dictionary(pairs) { _, _ in throw CocoaError(.fileWriteFileExists) }
    }

    /// The numbers of rows with each status.
    func statuses(_ arguments: [String]) throws -> [String: Int] {
        try bench.json(arguments).compactMap { $0["status"] as? String }
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// Expects that nothing is imported or kept, and that the library does not change.
    func importUnchanged() throws {
        let rows = try unchanged { try bench.json("import", "tree") }
        #expect(try fates(rows) == tree.unchangedFiles)
        #expect(rows.allSatisfy { ($0["kept"] as? [Any])?.isEmpty == true })
    }

    /// Edits all photos like one of them, twice.
    private func editAll(_ options: String...) throws { try editAll(options) }

    private func editAll(_ options: [String]) throws {
        let words = ["edit", "--all"] + options
        #expect(try statuses(words) == ["committed": count - 1, "unchanged": 1])
        let again = try unchanged { try statuses(words) }
        #expect(again == ["unchanged": count])
    }

    private func export(
        to folder: String, written: Int, of all: Int? = nil, _ options: [String] = []
    ) throws {
        let words = ["export", "--all", "--to", folder, "--sidecar", "xmp"]
        let rows = try bench.json(words + options)
        #expect(rows.count == all ?? count)
        #expect(rows.filter { $0["written"] as? Bool == true }.count == written)
    }

    private func exportUnchanged() throws {
        try unchanged { try export(to: "out", written: 0) }
    }

    /// Runs a command, and expects that the library has the same counts, sizes and last change afterwards.
    func unchanged<Value>(_ command: () throws -> Value) throws -> Value {
        let before = try bench.run("status", "--json").output
        let result = try command()
        let after = try bench.run("status", "--json").output
        #expect(!before.isEmpty && after == before)
        return result
    }

    private func expectUndone(_ count: Int, _ entry: String) throws {
        #expect(try statuses(["undo", entry]) == ["undone": count])
    }

    private func ids(_ arguments: String...) throws -> Set<String> {
        Set(try bench.json(arguments).compactMap { $0["id"] as? String })
    }

    /// Everything that a user sees of the photos. Dates of changes and steps that can be redone are left out.
    private func look() throws -> NSArray {
        let hidden = ["modificationDate", "states", "edits"]
        return try bench.json("dump", "--all")
            .map { row in row.filter { !hidden.contains($0.key) } } as NSArray
    }

    /// Expects the values of each photo of a library.
    func expectValues(_ options: [String] = []) throws {
        var found: [String: [String: String]] = [:]
        for row in try bench.json(["dump", "--all"] + options) {
            var values: [String: String] = [:]
            for member in ["folder", "title", "description", "creator", "label", "creationDate"] {
                values[member] = row[member] as? String
            }
            values["rating"] = (row["rating"] as? Int).map { "\($0)" }
            let location = row["location"] as? [String: Any]
            values["latitude"] = (location?["latitude"] as? Double).map { "\($0)" }
            let keywords = try #require(row["keywordPaths"] as? [String])
            if !keywords.isEmpty { values["keywords"] = keywords.joined(separator: ", ") }
            if row["isFavorite"] as? Bool == true { values["favourite"] = "yes" }
            found[try #require(row["filename"] as? String)] = values
        }
        #expect(found == tree.values)
    }

    /// The bytes of the files below a folder, by their paths. Hidden files are left out.
    func contents(_ folder: String) throws -> [String: Data] {
        let folder = bench.folder.file(folder)
        var found: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(
                atPath: "\(folder)/\(path)", isDirectory: &isFolder)
            guard exists, !isFolder.boolValue, !path.hasPrefix(".") else { continue }
            found[path] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)"))
        }
        return found
    }
}
