// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The files that imports reject and remember.
@Suite("rejected files")
struct RejectedFileTests {
    private let bench: Workbench
    private let tree: String

    init() throws {
        bench = try Workbench()
        tree = bench.folder.file("tree")
    }

    private func picture(width: Int) throws -> Data {
        try TestPicture.gradient(width: width, height: 40).encoded("jpeg")
    }

    /// Writes a truncated picture, a RAW, a text with the name of a picture, an empty file and a good picture.
    private func fill() throws {
        let whole = try picture(width: 60)
        try bench.folder.write(whole.prefix(whole.count * 2 / 3), to: "tree/2024/cut.jpg")
        try bench.folder.write(Data("FUJIFILMCCD-RAW is a RAW".utf8), to: "tree/2024/a.RAF")
        try bench.folder.write(Data("no picture".utf8), to: "tree/text.jpg")
        try bench.folder.write(Data(), to: "tree/empty.png")
        try bench.folder.write(picture(width: 50), to: "tree/good.jpg")
    }

    /// Imports paths and returns the exit status and the statuses of the files by name.
    private func statuses(_ arguments: String...) throws -> (Int32, [String: String]) {
        let result = try bench.run(["import"] + arguments + ["--json"])
        let rows = try result.objects.filter { $0["path"] != nil }.map { row in
            let path = try #require(row["path"] as? NSString)
            return (path.lastPathComponent, try #require(row["status"] as? String))
        }
        return (result.status, Dictionary(uniqueKeysWithValues: rows))
    }

    private static let names = ["2024/a.RAF", "2024/cut.jpg", "empty.png", "text.jpg"]

    private static func all(_ status: String) -> [String: String] {
        ["a.RAF": status, "cut.jpg": status, "empty.png": status, "text.jpg": status]
    }

    @Test("a second import of a tree succeeds, and reports the rejected files as known")
    func again() throws {
        try fill()
        let first = try statuses(tree)
        #expect(first.0 == 1)
        #expect(first.1 == Self.all("rejected").merging(["good.jpg": "imported"]) { $1 })
        let known = Self.all("rejectedBefore").merging(["good.jpg": "duplicate"]) { $1 }
        for arguments in [[tree, "--dry-run"], [tree]] {
            let rows = try bench.json(["import"] + arguments)
            #expect(rows.count == 5)
            for row in rows where row["status"] as? String == "rejectedBefore" {
                #expect(row["id"] is NSNull && row["error"] is String)
                #expect(
                    ["badInput", "blockedFormat"].contains(row["errorCode"] as? String ?? ""))
            }
        }
        let second = try statuses(tree)
        #expect(second.0 == 0 && second.1 == known)
        let text = try bench.run("import", tree)
        #expect(text.status == 0)
        #expect(text.output.contains("rejected before      \(tree)/text.jpg: the name is"))
        #expect(text.output.hasSuffix("\n1 duplicate, 4 rejected before\n"), "\(text.output)")
        #expect(text.errors.contains("4 files were rejected before"), "\(text.errors)")
    }

    @Test("a new rejected file is a failure among those that were rejected before")
    func newFailure() throws {
        try fill()
        _ = try statuses(tree)
        try bench.folder.write(Data("other text".utf8), to: "tree/other.jpg")
        let (status, rows) = try statuses(tree)
        #expect(status == 1)
        #expect(rows["other.jpg"] == "rejected" && rows["text.jpg"] == "rejectedBefore")
        // A file is recognised by its bytes and its filename extension, not by its path.
        try FileManager.default.moveItem(
            atPath: tree + "/other.jpg", toPath: tree + "/2024/moved.JPG")
        try bench.folder.write(Data("other text".utf8), to: "tree/other.txt")
        let moved = try statuses(tree)
        #expect(moved.0 == 0)
        #expect(moved.1["moved.JPG"] == "rejectedBefore" && moved.1["other.txt"] == "skipped")
        // A file of the same size is not mistaken for it.
        try bench.folder.write(picture(width: 70), to: "tree/2024/moved.JPG")
        #expect(try statuses(tree).1["moved.JPG"] == "imported")
    }

    @Test("a file is tried again with --again, and if it is named")
    func triedAgain() throws {
        try fill()
        _ = try statuses(tree)
        let again = try statuses(tree, "--again")
        #expect(again.0 == 1 && again.1["text.jpg"] == "rejected")
        #expect(try statuses(tree).0 == 0)
        #expect(try statuses(tree + "/text.jpg").1 == ["text.jpg": "rejected"])
        #expect(try statuses(tree + "/2024").0 == 0)
        // Another version of edithost may be able to read it.
        try bench.execute("UPDATE rejected_file SET program_version = ?", ["0.0.9"])
        let (status, rows) = try statuses(tree)
        #expect(status == 1)
        #expect(rows == Self.all("rejected").merging(["good.jpg": "duplicate"]) { $1 })
        #expect(try statuses(tree).0 == 0)
    }

    @Test("--show-rejected lists the files")
    func list() throws {
        #expect(try bench.run("import", "--show-rejected").status == 65)
        try fill()
        _ = try statuses(tree)
        let rows = try bench.json("import", "--show-rejected")
        #expect(rows.compactMap { $0["path"] as? String } == Self.names)
        let text = try #require(rows.last)
        #expect(text["size"] as? Int == 10 && text["errorCode"] as? String == "badInput")
        #expect((text["hash"] as? String)?.count == 64)
        #expect(text["rejectedDate"] is String && text["version"] is String)
        let lines = try bench.run("import", "--show-rejected").output.split(separator: "\n")
        #expect(lines.count == 5 && lines[0].hasPrefix("REJECTED "))
        #expect(lines[4].contains("  10 bytes  text.jpg      the name is"))
        for arguments in [[tree], ["--again"], ["--dry-run"], ["--move"]] {
            #expect(try bench.run(["import", "--show-rejected"] + arguments).status == 64)
        }
    }

    @Test("a file that is imported later is forgotten")
    func forgotten() throws {
        try fill()
        _ = try statuses(tree)
        // The RAW now has its picture.
        try bench.folder.write(picture(width: 51), to: "tree/2024/a.jpg")
        let rows = try statuses(tree).1
        #expect(rows["a.RAF"] == "imported" && rows["a.jpg"] == "imported")
        #expect(
            try bench.json("import", "--show-rejected").compactMap { $0["path"] as? String }
                == Array(Self.names.dropFirst()))
    }

    @Test("files that cannot be read and missing files are not remembered")
    func environment() throws {
        try bench.folder.write(picture(width: 50), to: "tree/good.jpg")
        #expect(try bench.run("import", tree, tree + "/missing.jpg", "/dev/null").status == 1)
        #expect(try bench.json("import", "--show-rejected").isEmpty)
        #expect(try bench.run("import", "--show-rejected").output == "no rejected files\n")
    }

    @Test("a copy of a file that the same import has rejected is rejected too")
    func copies() throws {
        // The first files are stored before the last one is read.
        for number in 100...250 {
            let text = number == 250 ? "text 100" : "text \(number)"
            try bench.folder.write(Data(text.utf8), to: "tree/\(number).jpg")
        }
        let (status, rows) = try statuses(tree)
        #expect(status == 65 && rows.count == 151 && Set(rows.values) == ["rejected"])
        let again = try statuses(tree)
        #expect(again.0 == 0 && Set(again.1.values) == ["rejectedBefore"])
        #expect(try bench.json("import", "--show-rejected").count == 150)
    }

    @Test("a damaged sidecar of a photo in the library is remembered")
    func sidecar() throws {
        try bench.folder.write(picture(width: 50), to: "tree/good.jpg")
        _ = try bench.json("import", tree)
        try bench.folder.write(Data("<x:xmpmeta".utf8), to: "tree/good.jpg.xmp")
        #expect(try statuses(tree).1["good.jpg.xmp"] == "rejected")
        let (status, rows) = try statuses(tree)
        #expect(status == 0 && rows["good.jpg.xmp"] == "rejectedBefore")
    }

    @Test("a backup has the remembered files, and check finds no fault")
    func backup() throws {
        try fill()
        _ = try statuses(tree)
        let (backup, restored) = (bench.folder.file("Backup"), bench.folder.file("R.editlibrary"))
        #expect(try bench.run("backup", backup).status == 0)
        #expect(try bench.run("restore", backup, "--library", restored).status == 0)
        #expect(
            try bench.json("import", "--show-rejected", "--library", restored).count == 4)
        #expect(try bench.run("check", "--library", restored).status == 0)
    }
}
