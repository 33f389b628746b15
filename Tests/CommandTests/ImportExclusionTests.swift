// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import TestSupport
import Testing

@testable import EditHost

/// Files that an import leaves out or skips, and imports that only predict.
@Suite("left out of imports")
struct ImportExclusionTests {
    private let bench: Workbench
    private let tree: String

    init() throws {
        bench = try Workbench()
        tree = bench.folder.file("tree")
    }

    /// Writes different pictures to paths in the tree.
    private func write(_ paths: String...) throws {
        for (seed, path) in paths.enumerated() {
            let folder = (("tree/" + path) as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: bench.folder.file(folder), withIntermediateDirectories: true)
            try bench.folder.write(
                TestPicture.gradient(width: 20 + seed, height: 10).encoded("jpeg"),
                to: "tree/" + path)
        }
    }

    /// The results of an import by their paths in the tree.
    private func results(_ options: String...) throws -> [String: String] {
        let rows = try bench.json(["import", tree] + options)
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                guard let path = row["path"] as? String, let status = row["status"] as? String
                else { return nil }
                return (String(path.dropFirst(tree.count + 1)), status)
            })
    }

    @Test(
        "patterns match names and relative paths as fnmatch does",
        arguments: [
            ("*.jpg", "a.jpg", true), ("*.jpg", "2024/a.jpg", true), ("*.jpg", "a.JPG", false),
            ("*.[Jj][Pp][Gg]", "2024/a.JPG", true), ("?.jpg", "a.jpg", true),
            ("2024/*.jpg", "2024/a.jpg", true), ("2024/*.jpg", "2024/05/a.jpg", false),
            ("2024/*", "2024/a.jpg", true), ("*/a.jpg", "2024/a.jpg", true),
            ("*/a.jpg", "2024/05/a.jpg", false), ("a.jpg/", "a.jpg", false), ("", "a.jpg", false),
            ("[", "a.jpg", false), ("[", "[", true), ("\\*", "*", true), ("\\*", "a", false),
            ("*", "\u{1F600}", true), ("a*", "\u{E9}", false), ("/", "a", false),
            ("../*", "a", false),
        ])
    func patterns(pattern: String, path: String, isMatched: Bool) {
        let name = FileName(path.split(separator: "/").last.map(String.init) ?? path)
        let found = ImportPattern(pattern).matches(path, named: name, isFolder: false)
        #expect(found == isMatched)
    }

    @Test("a pattern with a slash at its end matches only folders")
    func folders() {
        let pattern = ImportPattern("raw/")
        #expect(pattern.matches("2024/raw", named: FileName("raw"), isFolder: true))
        #expect(!pattern.matches("2024/raw", named: FileName("raw"), isFolder: false))
    }

    @Test("a pattern that matches nothing is reported once, and is no error")
    func unused() throws {
        try write("a.jpg", "raw/c.jpg")
        for options in [["--dry-run"], []] {
            let result = try bench.run(
                [
                    "import", tree, "--exclude", "Raw/", "--exclude", "raw/", "--exclude", "Raw/",
                    "--exclude", "*.NEF",
                ] + options)
            #expect(result.status == 0)
            let lines = result.errors.split(separator: "\n").filter { $0.contains("--exclude") }
            #expect(
                lines == [
                    "edithost: --exclude \"Raw/\" matched nothing",
                    "edithost: --exclude \"*.NEF\" matched nothing",
                ], "\(result.errors)")
        }
        // A file that two patterns match.
        let both = try bench.run("import", tree, "--exclude", "a.jpg", "--exclude", "*.jpg")
        #expect(!both.errors.contains("--exclude"), "\(both.errors)")
    }

    @Test("--exclude leaves out files, and folders with all that they contain")
    func exclude() throws {
        try write("a.jpg", "b.jpg", "raw/c.jpg", "2024/raw/d.jpg", "2024/e.jpg", "2024/x/f.jpg")
        #expect(
            try results("--exclude", "raw/", "--exclude", "b.*", "--exclude", "2024/x")
                == ["a.jpg": "imported", "2024/e.jpg": "imported"])
        #expect(try results("--exclude", "*").isEmpty)
        let named = try bench.json(
            "import", tree + "/a.jpg", tree + "/b.jpg", "--exclude", "b*")
        #expect(named.map { $0["status"] as? String } == ["duplicate"])
        #expect(try results().count == 6)
    }

    @Test("what other programs put beside photos is left out, unless it is named")
    func foreign() throws {
        try write("a.jpg", "@eaDir/a.jpg/SYNOPHOTO_THUMB_XL.jpg", "lost+found/b.jpg", "x/Thumbs.db")
        #expect(try results() == ["a.jpg": "imported"])
        let named = try bench.json("import", tree + "/lost+found")
        #expect(named.map { $0["status"] as? String } == ["imported"])
    }

    @Test("the thumbnail of a video is skipped; another THM file is imported by its contents")
    func thumbnails() throws {
        try write("1.THM", "2.thm")
        try bench.folder.write(Data("no video".utf8), to: "tree/1.MP4")
        let rows = try bench.run("import", tree, "--json").objects
        let thumbnail = rows.first { ($0["path"] as? String)?.hasSuffix("1.THM") == true }
        #expect(thumbnail?["status"] as? String == "skipped")
        #expect(thumbnail?["error"] as? String == "the thumbnail of a video")
        let other = rows.first { ($0["path"] as? String)?.hasSuffix("2.thm") == true }
        #expect(other?["status"] as? String == "imported")
    }

    @Test("links that are not followed are reported as skipped")
    func links() throws {
        try write("a.jpg", "x/b.jpg")
        for (name, target) in [("file", "a.jpg"), ("folder", "x"), ("broken", "nothing")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(tree)/\(name)", withDestinationPath: target)
        }
        #expect(
            try results() == [
                "a.jpg": "imported", "x/b.jpg": "imported", "file": "duplicate",
                "folder": "skipped", "broken": "skipped",
            ])
        #expect(try results("--exclude", "broken")["broken"] == nil)
    }

    @Test("--dry-run predicts the import, changes nothing and creates no library")
    func dryRun() throws {
        try write("a.jpg", "b.jpg", "c.jpg")
        try FileManager.default.copyItem(atPath: tree + "/a.jpg", toPath: tree + "/copy.jpg")
        try bench.folder.write(Data("text".utf8), to: "tree/notes.txt")
        try bench.folder.write(Data("FUJIFILMCCD-RAW is a RAW".utf8), to: "tree/b.RAF")
        try bench.folder.write(Data("no picture".utf8), to: "tree/damaged.jpg")
        func dry() throws -> [[String: Any]] {
            try bench.run("import", tree, "--dry-run", "--json").objects
        }
        func statuses(_ rows: [[String: Any]]) -> [String] {
            rows.map { "\($0["path"] ?? "") \($0["status"] ?? "") \($0["resource"] ?? "")" }
        }
        let library = bench.folder.file("Photos.editlibrary")
        let predicted = try dry()
        #expect(!FileManager.default.fileExists(atPath: library))
        #expect(predicted.allSatisfy { $0["id"] is NSNull })
        let imported = try bench.run("import", tree, "--json").objects
        #expect(statuses(predicted) == statuses(imported))
        #expect(
            imported.map { $0["status"] as? String } == [
                "imported", "imported", "imported", "imported", "duplicate", "rejected", "skipped",
            ])
        let again = try dry()
        #expect(statuses(again) == statuses(try bench.run("import", tree, "--json").objects))
        #expect(again.compactMap { $0["id"] as? String }.count == 5)
        let text = try bench.run("import", tree, "--dry-run", "--exclude", "damaged*")
        #expect(text.status == 0 && text.output.hasSuffix("5 duplicates, 1 skipped\n"))
        #expect(text.errors == "edithost: dry run: nothing was imported\n")
    }

    @Test(
        "options that do not go together are rejected",
        arguments: [
            (["--exclude", "./a.jpg", "x"], "matches nothing"),
            (["--exclude", "/tmp/a.jpg", "x"], "matches nothing"),
            (["--exclude", "a//b", "x"], "matches nothing"),
            (["--again", "--exclude", "x"], "--exclude needs a path"),
            (["--again", "--dry-run", "x"], "Use --dry-run or --again"),
            (["x", "--exclude", ""], "The pattern of --exclude is empty"),
        ])
    func usage(words: [String], message: String) throws {
        let result = try bench.run(["import"] + words)
        #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
    }
}
