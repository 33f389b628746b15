// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Favourites in the JSON files of Google Takeout, which omit the member `favorited` of other pictures.
@Suite("favourites from Google Takeout")
struct TakeoutFavoriteTests {
    private static let names = ["a.jpg.json", "a.jpg.supplemental-metadata.json"]

    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Writes a JSON file with a text that makes its bytes different.
    private func writeJSON(_ path: String, isFavorite: Bool, _ text: String = "one") throws {
        var members: [String: Any] = [
            "photoTakenTime": ["timestamp": "1561234567"], "description": text,
        ]
        if isFavorite { members["favorited"] = true }
        try bench.folder.write(JSONSerialization.data(withJSONObject: members), to: "tree/" + path)
    }

    /// Imports the folder and returns the statuses of its files, in the order of their paths.
    @discardableResult
    private func importTree(_ options: String...) throws -> [String] {
        try bench.json(["import", bench.tree] + options)
            .compactMap { row in
                (row["path"] as? String).flatMap { path in
                    (row["status"] as? String).map { (path, $0) }
                }
            }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func identifier() throws -> String {
        let rows = try bench.json("list")
        #expect(rows.count == 1)
        return try #require(rows.first?["id"] as? String)
    }

    private func isFavorite() throws -> Bool? {
        try bench.json("show", identifier()).first?["isFavorite"] as? Bool
    }

    @Test("a picture that is no longer a favourite is unmarked", arguments: names)
    func unmarked(newName: String) throws {
        try bench.write("a.jpg", width: 20)
        try writeJSON("a.jpg.json", isFavorite: true)
        try importTree()
        #expect(try isFavorite() == true)
        #expect(try importTree() == ["duplicate", "duplicate"])
        #expect(try importTree("--again") == ["duplicate", "duplicate"])
        #expect(try isFavorite() == true)
        try FileManager.default.removeItem(atPath: bench.tree + "/a.jpg.json")
        try writeJSON(newName, isFavorite: false)
        #expect(try importTree()[0] == "updated")
        #expect(try isFavorite() == false)
        // A stored JSON of another name remains.
        #expect(try importTree("--again") == ["duplicate", "duplicate"])
        #expect(try isFavorite() == false)
        try writeJSON(newName, isFavorite: true)
        #expect(try importTree() == ["updated", "updated"])
        #expect(try isFavorite() == true)
    }

    @Test("a JSON file of a third name is compared with the last one")
    func thirdName() throws {
        try bench.write("a.jpg", width: 20)
        try writeJSON("a.jpg.json", isFavorite: true)
        try importTree()
        for (name, isFavorite) in [
            ("supplemental-metadata", false), ("supplemental-meta", false), ("suppl", true),
        ] {
            try FileManager.default.removeItem(atPath: bench.tree)
            try bench.write("a.jpg", width: 20)
            try writeJSON("a.jpg.\(name).json", isFavorite: isFavorite, name)
            try importTree()
            #expect(try self.isFavorite() == isFavorite, "\(name)")
        }
    }

    @Test("a mark that was set or removed in the library is kept")
    func changedByUser() throws {
        try bench.write("a.jpg", width: 20)
        try writeJSON("a.jpg.json", isFavorite: false)
        try importTree()
        _ = try bench.json("favorite", identifier())
        try writeJSON("a.jpg.json", isFavorite: false, "two")
        try importTree()
        #expect(try isFavorite() == true)
        try writeJSON("a.jpg.json", isFavorite: true, "three")
        try importTree()
        _ = try bench.json("favorite", identifier(), "--off")
        try writeJSON("a.jpg.json", isFavorite: true, "four")
        try importTree()
        #expect(try isFavorite() == false)
    }

    @Test("a picture is a favourite if one of two JSON files says so", arguments: names)
    func twoNames(favorite: String) throws {
        let other = try #require(Self.names.first { $0 != favorite })
        try bench.write("a.jpg", width: 20)
        try writeJSON(favorite, isFavorite: true)
        try writeJSON(other, isFavorite: false)
        try importTree()
        #expect(try isFavorite() == true)
        try writeJSON(other, isFavorite: false, "two")
        try importTree()
        #expect(try isFavorite() == true)
        // Neither file states anything new, so the user's choice is kept.
        _ = try bench.json("favorite", identifier(), "--off")
        for (name, isFavorite) in [(other, false), (favorite, true)] {
            try writeJSON(name, isFavorite: isFavorite, "three")
            try importTree()
            #expect(try self.isFavorite() == false)
        }
        _ = try bench.json("favorite", identifier())
        try writeJSON(favorite, isFavorite: false, "four")
        try importTree()
        #expect(try isFavorite() == false)
    }

    @Test("the order of the copies of a picture in two folders is irrelevant", arguments: [0, 1])
    func twoFolders(favorite: Int) throws {
        // The second file is stored as a(1).jpg.json, beside the first.
        for (index, (picture, json)) in [
            ("2019/a(1).jpg", "2019/a.jpg(1).json"), ("Rome/a.jpg", "Rome/a.jpg.json"),
        ].enumerated() {
            try bench.write(picture, width: 20)
            try writeJSON(json, isFavorite: index == favorite)
        }
        try importTree()
        #expect(try isFavorite() == true)
        #expect(try importTree() == Array(repeating: "duplicate", count: 4))
        #expect(try isFavorite() == true)
    }

    @Test("an XMP file does not unmark a picture")
    func xmp() throws {
        try bench.write("a.jpg", width: 20)
        try writeJSON("a.jpg.json", isFavorite: true)
        try importTree()
        for rating in [2, 3] {
            let text = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
                 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
                 rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/>
                </rdf:RDF></x:xmpmeta>
                """
            try bench.folder.write(Data(text.utf8), to: "tree/a.jpg.xmp")
            // The second time, the JSON is no longer there.
            try importTree()
            #expect(try isFavorite() == true)
            try? FileManager.default.removeItem(atPath: bench.tree + "/a.jpg.json")
        }
        #expect(try bench.json("show", identifier()).first?["rating"] as? Int == 3)
    }
}
