// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Keywords in hierarchies, and the command `keyword`.
@Suite("keyword hierarchies")
struct KeywordCommandTests {
    private func keywords(_ bench: Workbench, _ id: String) throws -> [String] {
        try #require(bench.json("show", id).first?["keywords"] as? [String])
    }

    private func paths(_ bench: Workbench, _ id: String) throws -> [String] {
        try #require(bench.json("show", id).first?["keywordPaths"] as? [String])
    }

    /// A workbench with three photos: one with `Travel|Italy|Rome`, one with `Travel|Norway`, and one with `Italy` and
    /// `f/2.8`.
    private func travels() throws -> (Workbench, [String]) {
        let (bench, ids) = try Workbench.withPhotos(3)
        _ = try bench.json("set", ids[0], "--keyword", "Travel|Italy|Rome")
        _ = try bench.json("set", ids[1], "--keyword", " Travel | Norway ")
        _ = try bench.json("set", ids[2], "--keyword", "Italy", "--keyword", "f/2.8")
        return (bench, ids)
    }

    @Test("the tag trees of Lightroom and digiKam are read, shown and found")
    func imported() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        let tagged = try runProgram(
            "/usr/bin/env",
            [
                "exiftool", "-q", "-overwrite_original", "-XMP-dc:Subject=Iceland",
                "-XMP-dc:Subject=Oma",
                "-XMP-lr:HierarchicalSubject=Places|Europe|Iceland",
                "-XMP-digiKam:TagsList=People/Oma", path,
            ])
        try #require(tagged.status == 0, "\(tagged.errors)")
        let id = try #require(bench.json("import", path).first?["id"] as? String)
        #expect(try keywords(bench, id) == ["Oma", "Iceland"])
        #expect(try paths(bench, id) == ["People|Oma", "Places|Europe|Iceland"])
        for words in [
            ["--text", "Iceland"], ["--keyword", "Places"], ["--keyword", "Europe"],
            ["--keyword", "Places/Europe", "--keyword", "Oma"], ["--keyword", "People|Oma"],
        ] {
            #expect(try bench.json(["list"] + words).count == 1, "\(words)")
        }
        #expect(try bench.json("list", "--keyword", "Europe/Iceland").isEmpty)
        #expect(try bench.run("show", id).output.contains("Places|Europe|Iceland"))
    }

    @Test("a changed sidecar moves a keyword to another place")
    func merged() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        func write(_ tag: String) throws {
            let packet = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
                 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                 <rdf:Description rdf:about="" xmlns:digiKam="http://www.digikam.org/ns/1.0/">
                 <digiKam:TagsList><rdf:Seq><rdf:li>\(tag)</rdf:li></rdf:Seq></digiKam:TagsList>
                 </rdf:Description></rdf:RDF></x:xmpmeta>
                """
            try Data(packet.utf8).write(to: URL(fileURLWithPath: path + ".xmp"))
        }
        try write("Europe/Iceland")
        let folder = bench.folder.file("photos")
        let id = try #require(bench.json("import", folder).first?["id"] as? String)
        _ = try bench.json("set", id, "--keyword", "mine|too")
        try write("World/Europe/Iceland")
        _ = try bench.json("import", folder)
        #expect(try paths(bench, id) == ["World|Europe|Iceland", "mine|too"])
    }

    @Test("a name finds its branch at any level, and levels find the branch at its place")
    func listed() throws {
        let (bench, ids) = try travels()
        #expect(try Set(bench.listed("--keyword", "Travel")) == [ids[0], ids[1]])
        #expect(try bench.listed("--keyword", "Travel/Italy") == [ids[0]])
        #expect(try Set(bench.listed("--keyword", "Italy")) == [ids[0], ids[2]])
        #expect(try bench.listed("--keyword", "f/2.8") == [ids[2]])
        let rows = try bench.json("keyword", "list")
        #expect(
            rows.compactMap { $0["keyword"] as? String }
                == ["Italy", "Travel|Italy|Rome", "Travel|Norway", "f/2.8"])
        #expect(rows.allSatisfy { $0["count"] as? Int == 1 })
        let tree = try bench.run("keyword", "list", "--tree").output
        #expect(
            tree.split(separator: "\n") == [
                "Italy  (1)", "Travel", "    Italy", "        Rome  (1)", "    Norway  (1)",
                "f/2.8  (1)",
            ])
    }

    @Test("a branch is renamed, moved and merged with the keywords below it")
    func renamed() throws {
        let (bench, ids) = try travels()
        _ = try bench.json("keyword", "rename", "Travel/Italy", "Travel/Italia")
        #expect(try paths(bench, ids[0]) == ["Travel|Italia|Rome"])
        _ = try bench.json("keyword", "rename", "Italia", "Italy")
        #expect(try paths(bench, ids[0]) == ["Travel|Italy|Rome"])
        let row = try bench.json("keyword", "rename", "Italy", "Travel/Italy").first
        #expect(row?["keyword"] as? String == "Travel|Italy" && row?["count"] as? Int == 1)
        #expect(try paths(bench, ids[2]) == ["Travel|Italy"])
        _ = try bench.json("keyword", "rename", "f/2.8", "|f/4")
        #expect(try keywords(bench, ids[2]) == ["Italy", "f/4"])
        _ = try bench.json("keyword", "rename", "f/4", "f/5.6")
        #expect(try keywords(bench, ids[2]) == ["Italy", "f/5.6"])
        _ = try bench.json("keyword", "rename", "Travel", "Trips")
        #expect(try paths(bench, ids[1]) == ["Trips|Norway"])
        let missing = try bench.run("keyword", "rename", "Nowhere", "x")
        #expect(missing.status == 66 && missing.errors.contains("Nowhere"))
    }

    @Test("several keywords become one, with the keywords below them, in one change")
    func mergedInto() throws {
        let (bench, ids) = try travels()
        _ = try bench.json("set", ids[0], "--keyword", "Roma", "--keyword", "Italien|Meer")
        _ = try bench.json("set", ids[1], "--keyword", "Roma")
        let row = try #require(
            try bench.json("keyword", "merge", "Roma", "Italien", "Italy", "Travel/Italy").first)
        #expect(row["keyword"] as? String == "Travel|Italy" && row["count"] as? Int == 3)
        #expect(row["merged"] as? [String] == ["Roma", "Italien", "Italy"])
        #expect(
            try paths(bench, ids[0]) == ["Travel|Italy", "Travel|Italy|Meer", "Travel|Italy|Rome"])
        #expect(try paths(bench, ids[1]) == ["Travel|Italy", "Travel|Norway"])
        #expect(try paths(bench, ids[2]) == ["Travel|Italy"])
        // Into a keyword below, and into a new one.
        _ = try bench.json("keyword", "merge", "Travel", "Travel/Italy")
        #expect(try paths(bench, ids[1]) == ["Travel|Italy", "Travel|Italy|Norway"])
        #expect(try bench.json("keyword", "merge", "Norway", "f/2.8", "New/One").count == 1)
        #expect(try paths(bench, ids[2]) == ["New|One", "Travel|Italy"])
        let before = try bench.run("keyword", "list").output
        let missing = try bench.run("keyword", "merge", "Rome", "Nowhere", "x")
        #expect(missing.status == 66 && missing.errors.contains("Nowhere"))
        #expect(try bench.run("keyword", "merge", "Rome").status == 64)
        #expect(try bench.run("keyword", "merge", "Rome", "|").status == 64)
        #expect(try bench.run("keyword", "list").output == before)
        #expect(try bench.run("check").status == 0)
    }

    @Test("a slash in a new keyword is part of its name if all merged names contain one")
    func mergedNames() throws {
        let (bench, ids) = try travels()
        _ = try bench.json("set", ids[0], "--keyword", "f/3.5")
        let row = try #require(try bench.json("keyword", "merge", "f/2.8", "f/3.5", "f/4").first)
        #expect(row["keyword"] as? String == "f/4" && row["count"] as? Int == 2)
        let merged = try bench.json("show", ids[2]).first
        #expect(merged?["keywords"] as? [String] == ["Italy", "f/4"])
        _ = try bench.json("set", ids[1], "--keyword", "Lens|f/1.8")
        _ = try bench.json("keyword", "merge", "f/1.8", "f/2")
        #expect(try paths(bench, ids[1]) == ["Lens|f/2", "Travel|Norway"])
        _ = try bench.json("keyword", "merge", "Norway", "Art/Norway")
        #expect(try paths(bench, ids[1]) == ["Art|Norway", "Lens|f/2"])
    }

    @Test("an empty keyword is rejected", arguments: ["|", "", " | ", "||"])
    func empty(_ keyword: String) throws {
        let (bench, ids) = try travels()
        let result = try bench.run("set", ids[0], "--keyword", keyword)
        #expect(result.status == 64 && result.errors.contains("empty"))
        #expect(try keywords(bench, ids[0]) == ["Rome"])
    }

    @Test("set removes exactly the keyword that was given, and reports others of its name")
    func removedFromPhoto() throws {
        let (bench, ids) = try travels()
        _ = try bench.json("set", ids[0], "--keyword", "Art|Italy", "--keyword", "Art|Italy|Rome")
        _ = try bench.json("set", ids[2], "--keyword", "Art|Italy")
        let result = try bench.run("set", ids[0], ids[2], "--remove-keyword", "Italy")
        #expect(result.status == 0 && result.errors.contains("Art|Italy is another keyword"))
        #expect(
            try paths(bench, ids[0]) == ["Art|Italy", "Art|Italy|Rome", "Travel|Italy|Rome"])
        #expect(try paths(bench, ids[2]) == ["Art|Italy"])
        _ = try bench.json("set", ids[0], "--remove-keyword", "Art/Italy")
        #expect(try paths(bench, ids[0]) == ["Art|Italy|Rome", "Travel|Italy|Rome"])
    }

    @Test("a keyword is removed from all photos with those below it, in one change")
    func removed() throws {
        let (bench, ids) = try travels()
        _ = try bench.json("set", ids[1], "--keyword", "Art|Italy|Rome")
        let ambiguous = try bench.run("keyword", "remove", "Rome")
        #expect(ambiguous.status == 64)
        #expect(ambiguous.errors.contains("Art|Italy|Rome, Travel|Italy|Rome"))
        let row = try #require(try bench.json("keyword", "remove", "Travel").first)
        #expect(row["count"] as? Int == 2)
        #expect(try bench.listed("--keyword", "Travel").isEmpty)
        #expect(try paths(bench, ids[1]) == ["Art|Italy|Rome"])
        #expect(try keywords(bench, ids[2]) == ["Italy", "f/2.8"])
        #expect(try bench.run("check").status == 0)
    }
}
