// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Creators and copyrights in files, sidecars and the library.
@Suite("creators and copyrights")
struct CreatorTests {
    private let bench: Workbench
    private var photos: String { bench.folder.file("photos") }

    init() throws { bench = try Workbench() }

    private func write(_ tags: [String], to path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            let empty = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
                 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                 <rdf:Description rdf:about=""/></rdf:RDF></x:xmpmeta>
                """
            try Data(empty.utf8).write(to: URL(fileURLWithPath: path))
        }
        let tagged = try runProgram(
            "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [path])
        try #require(tagged.status == 0, "\(tagged.errors)")
    }

    /// The tags that ExifTool finds. Items of lists are separated by bars.
    private func tags(_ path: String) throws -> [String: String] {
        let found = try runProgram("/usr/bin/env", ["exiftool", "-j", "-G1", "-sep", "|", path])
        let rows = try JSONSerialization.jsonObject(with: Data(found.output.utf8))
        return try #require((rows as? [[String: Any]])?.first).mapValues { "\($0)" }
    }

    /// Makes a JPEG with tags.
    private func picture(_ tags: [String]) throws -> String {
        let path = bench.folder.file("photos/a.jpg")
        let made = try runProgram(
            "/usr/bin/env", ["vips", "copy", try bench.picture(name: "source.png"), path])
        #expect(made.status == 0, "\(made.errors)")
        try FileManager.default.removeItem(atPath: bench.folder.file("photos/source.png"))
        if !tags.isEmpty { try write(tags, to: path) }
        return path
    }

    private func imported(_ options: String...) throws -> String {
        try #require(try bench.json(["import", photos] + options).first?["id"] as? String)
    }

    /// The creator and the copyright in the library.
    private func values(_ id: String) throws -> [String?] {
        let row = try #require(try bench.json("show", id).first)
        return ["creator", "copyright"].map { row[$0] as? String }
    }

    private func export(_ id: String, _ options: String...) throws -> String {
        let folder = bench.folder.file("out-\(UUID())")
        let row = try bench.json(["export", id, "--to", folder] + options).first
        return try #require(row?["path"] as? String)
    }

    @Test(
        "XMP takes precedence over EXIF, and EXIF over IPTC",
        arguments: [
            (["-EXIF:Artist=Ann", "-EXIF:Copyright=2024 Ann"], "Ann", "2024 Ann"),
            (
                ["-IPTC:By-line=Ann", "-IPTC:By-line=Ben", "-IPTC:CopyrightNotice=Us"], "Ann; Ben",
                "Us"
            ),
            (["-IPTC:By-line=Ann", "-EXIF:Artist=Ben", "-EXIF:Copyright= "], "Ben", nil),
            (
                [
                    "-EXIF:Artist=Ann", "-EXIF:Copyright=Ann", "-XMP-dc:Creator=Ben",
                    "-XMP-dc:Creator=Cleo", "-XMP-dc:Rights=Both",
                ], "Ben; Cleo", "Both"
            ),
        ] as [([String], String?, String?)])
    func read(tags: [String], creator: String?, copyright: String?) throws {
        _ = try picture(tags)
        let id = try imported()
        #expect(try values(id) == [creator, copyright])
        let text = try bench.run("show", id).output
        #expect(text.contains(creator ?? "") && text.contains("creator"), "\(text)")
        #expect(text.contains("copyright") == (copyright != nil), "\(text)")
    }

    @Test("a sidecar takes precedence; a changed one is read again, and own values are kept")
    func sidecars() throws {
        let path = try picture(["-XMP-dc:Creator=Ann", "-XMP-dc:Rights=Ann"])
        try write(["-XMP-dc:Creator=Ben"], to: path + ".xmp")
        let id = try imported()
        #expect(try values(id) == ["Ben", "Ann"])
        try write(["-XMP-dc:Creator=Cleo", "-XMP-dc:Rights=Cleo"], to: path + ".xmp")
        _ = try imported()
        #expect(try values(id) == ["Cleo", "Cleo"])
        _ = try bench.json("set", id, "--creator", "Me")
        try write(["-XMP-dc:Creator=Dan", "-XMP-dc:Rights=Dan"], to: path + ".xmp")
        let rows = try bench.json("import", photos)
        let kept = rows.compactMap { $0["kept"] as? [[String: Any]] }
        #expect(kept.joined().map { $0["field"] as? String } == ["creator"])
        #expect(try values(id) == ["Me", "Dan"])
    }

    @Test("values that are set replace those of EXIF, IPTC and XMP; empty ones remove them")
    func written() throws {
        _ = try picture([
            "-EXIF:Make=Maker", "-EXIF:Artist=Old", "-IPTC:By-line=Old",
            "-IPTC:CopyrightNotice=Old", "-XMP-dc:Creator=Old", "-XMP-dc:Rights=Old",
        ])
        let id = try imported()
        let line = try bench.run(
            "set", id, "--creator", "Ada Bell;Ben Cole;", "--copyright", "© Ada")
        #expect(line.output.contains("creator Ada Bell; Ben Cole"), "\(line)")
        let new = try tags(export(id, "--metadata", "library"))
        #expect(new["IFD0:Artist"] == "Ada Bell; Ben Cole" && new["IFD0:Copyright"] == "© Ada")
        #expect(new["IPTC:By-line"] == "Ada Bell|Ben Cole")
        #expect(new["IPTC:CopyrightNotice"] == "© Ada")
        #expect(new["XMP-dc:Creator"] == "Ada Bell|Ben Cole" && new["XMP-dc:Rights"] == "© Ada")
        let rights = try tags(export(id, "--metadata", "copyright"))
        #expect(rights["XMP-dc:Creator"] == "Ada Bell|Ben Cole" && rights["IFD0:Make"] == nil)
        #expect(rights["IFD0:Artist"] == "Ada Bell; Ben Cole")
        #expect(try !tags(export(id, "--metadata", "none")).values.contains { $0.contains("Ada") })
        #expect(try tags(export(id, "--metadata", "original"))["XMP-dc:Creator"] == "Old")
        _ = try bench.json("set", id, "--creator", "", "--copyright", "")
        #expect(try values(id) == [nil, nil])
        let none = try tags(export(id, "--metadata", "library"))
        #expect(none["IFD0:Make"] == "Maker")
        for name in ["Artist", "Copyright", "By-line", "CopyrightNotice", "Creator", "Rights"] {
            #expect(!none.keys.contains { $0.hasSuffix(":" + name) }, "\(name)")
        }
        #expect(try bench.run("set", id, "--creator", ";").status == 64)
        let long = try bench.run("set", id, "--copyright", String(repeating: "x", count: 257))
        #expect(long.status == 64 && long.errors.contains("copyright"), "\(long)")
    }

    @Test("sidecars have the library's values, also with --metadata copyright")
    func exported() throws {
        _ = try picture(["-EXIF:Artist=Old", "-EXIF:Copyright=Old"])
        let id = try imported()
        _ = try bench.json("set", id, "--creator", "Ada; Ben", "--title", "Gate")
        let all = try tags(export(id, "--sidecar", "xmp") + ".xmp")
        #expect(all["XMP-dc:Creator"] == "Ada|Ben" && all["XMP-dc:Rights"] == "Old")
        let rights = try tags(
            export(id, "--sidecar", "xmp", "--metadata", "copyright") + ".xmp")
        #expect(rights["XMP-dc:Creator"] == "Ada|Ben" && rights["XMP-dc:Rights"] == "Old")
        #expect(rights["XMP-dc:Title"] == nil)
    }

    @Test("names separated by semicolons alone equal those with blanks; no file is rewritten")
    func separators() throws {
        let path = try picture(["-EXIF:Artist=Ada;Ben"])
        try write(["-XMP-dc:Creator=Ada;Ben", "-XMP-dc:Rights=Us"], to: path + ".xmp")
        let sidecar = try Data(contentsOf: URL(fileURLWithPath: path + ".xmp"))
        let id = try imported("--reference")
        #expect(try values(id) == ["Ada; Ben", "Us"])
        _ = try bench.json("set", id, "--creator", "Ada;Ben")
        #expect(
            try bench.json("metadata", "write", id).first?["status"] as? String == "unchanged")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".xmp")) == sidecar)
        // The library's own value is not one that differs from the file.
        let rows = try bench.json("import", "--again")
        #expect(rows.allSatisfy { $0["kept"] == nil || ($0["kept"] as? [Any])?.isEmpty == true })
        #expect(try tags(export(id, "--metadata", "copyright"))["IFD0:Artist"] == "Ada;Ben")
        _ = try bench.json("set", id, "--creator", " Cleo ;; ")
        #expect(try values(id)[0] == "Cleo")
    }

    /// Makes the library one of version 16 after its upgrade, which has read neither value.
    private func forget() throws {
        try bench.execute("UPDATE asset SET creator = NULL, copyright = NULL")
        try bench.execute(
            "UPDATE resource SET facts = "
                + "json_remove(facts, '$.metadata.creator', '$.metadata.copyright')")
    }

    @Test("metadata write keeps the creator of a photo that an earlier version imported")
    func earlier() throws {
        let path = try picture(["-EXIF:Copyright=Ann"])
        try write(["-XMP-dc:Creator=Ann", "-XMP-xmp:Rating=2"], to: path + ".xmp")
        let id = try imported("--reference")
        try forget()
        #expect(try values(id) == [nil, nil])
        _ = try bench.json("set", id, "--rating", "4")
        for rating in ["4", "5"] {
            _ = try bench.json("set", id, "--rating", rating)
            let row = try bench.json("metadata", "write", id).first
            #expect(row?["status"] as? String == "written")
            let sidecar = try tags(path + ".xmp")
            #expect(sidecar["XMP-xmp:Rating"] == rating && sidecar["XMP-dc:Creator"] == "Ann")
        }
        #expect(try values(id)[0] == "Ann")
        _ = try bench.json("set", id, "--creator", "")
        _ = try bench.json("metadata", "write", id)
        #expect(try tags(path + ".xmp")["XMP-dc:Creator"] == nil)
        #expect(try values(id)[0] == nil)
    }

    /// An option that removes a value, the option of the other one, and the tags of the removed one.
    private static let removals = [
        ("--creator", "--copyright", ["Artist", "By-line", "Creator"]),
        ("--copyright", "--creator", ["Copyright", "CopyrightNotice", "Rights"]),
    ]

    /// The tags of a picture and a sidecar in which both values are "Old".
    private static let old = [
        "-EXIF:Artist=Old", "-EXIF:Copyright=Old", "-IPTC:By-line=Old",
        "-IPTC:CopyrightNotice=Old", "-XMP-dc:Creator=Old", "-XMP-dc:Rights=Old",
    ]

    @Test("a value that an earlier version has not read can be removed", arguments: removals)
    func removedUnread(removed: String, other: String, names: [String]) throws {
        let path = try picture(Self.old)
        try write(["-XMP-dc:Creator=Old", "-XMP-dc:Rights=Old"], to: path + ".xmp")
        let id = try imported("--reference")
        try forget()
        #expect(try tags(export(id, "--metadata", "copyright"))["IFD0:Artist"] == "Old")
        _ = try bench.json("set", id, removed, "", other, "New")
        for metadata in ["library", "copyright"] {
            let file = try export(id, "--metadata", metadata, "--sidecar", "xmp")
            for path in [file, file + ".xmp"] {
                let found = try tags(path)
                #expect(found.values.contains("New") && !found.values.contains("Old"), "\(found)")
                let left = found.keys.filter { key in names.contains { key.hasSuffix(":" + $0) } }
                #expect(left.isEmpty, "\(path)")
            }
        }
        let row = try bench.json("metadata", "write", id).first
        #expect(row?["status"] as? String == "written")
        let sidecar = try tags(path + ".xmp")
        #expect(sidecar.values.contains("New") && !sidecar.values.contains("Old"), "\(sidecar)")
        #expect(try Set(values(id)) == [nil, "New"])
        #expect(
            try bench.json("metadata", "write", id).first?["status"] as? String == "unchanged")
    }

    @Test("a removed value stays removed when files are read again", arguments: removals)
    func rereadAfterRemoval(removed: String, other: String, names: [String]) throws {
        _ = try picture(Self.old)
        let id = try imported("--reference")
        try forget()
        _ = try bench.json("set", id, removed, "")
        let field = String(removed.dropFirst(2))
        let rows = try bench.json("import", "--again")
        let kept = rows.compactMap { $0["kept"] as? [[String: Any]] }.joined()
        #expect(kept.map { $0["field"] as? String } == [field] && kept.first?["library"] is NSNull)
        #expect(try Set(values(id)) == [nil, "Old"])
        _ = try bench.json("import", "--again")
        #expect(try Set(values(id)) == [nil, "Old"])
        #expect(try bench.run("show", id).output.contains(field) == false)
        #expect(try tags(export(id, "--metadata", "library"))["IFD0:\(names[0])"] == nil)
    }
}
