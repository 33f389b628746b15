// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `album` and of the option `--album`.
@Suite("albums on the command line")
struct AlbumCommandTests {
    @Test("an album is created, filled, reordered, shown and deleted; its photos stay")
    func life() throws {
        let (bench, ids) = try Workbench.withPhotos(4)
        let made = try #require(try bench.json("album", "create", "Summer").first)
        #expect(made["title"] as? String == "Summer")
        #expect(made["kind"] as? String == "album")
        #expect(made["count"] as? Int == 0)
        let id = try #require(made["id"] as? String)
        let added = try bench.json("album", "add", "Summer", ids[2], ids[0], ids[1], ids[0])
        #expect(added.map { $0["count"] as? Int } == [3])
        #expect(try bench.members("Summer") == [ids[2], ids[0], ids[1]])
        #expect(try bench.listed("--album", id) == [ids[2], ids[0], ids[1]])
        #expect(
            try bench.listed("--album", String(id.prefix(10)), "--sort", "added")
                == [ids[0], ids[1], ids[2]])

        _ = try bench.json("album", "move", "Summer", ids[1], ids[0], "--to-start")
        #expect(try bench.members("Summer") == [ids[1], ids[0], ids[2]])
        _ = try bench.json("album", "move", "Summer", ids[1], "--after", ids[2])
        #expect(try bench.members("Summer") == [ids[0], ids[2], ids[1]])
        _ = try bench.json("album", "move", "Summer", ids[0], "--before", ids[1])
        #expect(try bench.members("Summer") == [ids[2], ids[0], ids[1]])
        _ = try bench.json("album", "move", "Summer", ids[2], "--to-end")
        #expect(try bench.members("Summer") == [ids[0], ids[1], ids[2]])

        let covered = try bench.json("album", "cover", "Summer", ids[2])
        #expect(covered[0]["cover"] as? String == ids[2])
        #expect(try bench.json("album", "cover", "Summer")[0]["cover"] is NSNull)
        _ = try bench.json("album", "rename", "Summer", "Winter")
        _ = try bench.json("album", "remove", "Winter", ids[1])
        #expect(try bench.members("Winter") == [ids[0], ids[2]])
        let deleted = try bench.json("album", "delete", "Winter")
        #expect(deleted.map { $0["id"] as? String } == [id])
        #expect(try bench.json("album", "list").isEmpty)
        #expect(try Set(bench.listed()) == Set(ids))
    }

    @Test("filters select photos for an album, and an album filters list and export")
    func filters() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        _ = try bench.json("favorite", ids[1], ids[2])
        _ = try bench.json("hide", ids[2])
        _ = try bench.json("album", "create", "A")
        _ = try bench.json("album", "add", "A", "--favorite", "--hidden")
        #expect(try bench.listed("--album", "A") == [ids[1]])
        #expect(try Set(bench.listed("--album", "A", "--hidden")) == [ids[1], ids[2]])
        #expect(try bench.listed("--album", "A", "--text", "nothing") == [])
        #expect(try bench.listed("--album", "favorites") == [ids[1]])
        #expect(try bench.listed("--album", "hidden") == [ids[2]])
        #expect(try bench.listed("--album", "edited") == [])
        let exported = try bench.json("export", "--album", "A", "--to", bench.folder.file("out"))
        #expect(exported.map { $0["id"] as? String } == [ids[1]])
        #expect(try bench.run("rerender", "--album", "A").status == 0)
        _ = try bench.json("album", "remove", "A", "--album", "favorites")
        #expect(try bench.members("A", "--hidden") == [ids[2]])
    }

    @Test("deleting a folder deletes the albums and folders inside it")
    func folders() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let folder = try bench.json("album", "folder", "create", "Trips")[0]
        #expect(folder["kind"] as? String == "folder")
        _ = try bench.json("album", "folder", "create", "2024", "--folder", "Trips")
        _ = try bench.json("album", "create", "Rome", "--folder", "2024")
        _ = try bench.json("album", "create", "Home")
        _ = try bench.json("album", "add", "Rome", ids[0])
        let tree = try bench.run("album", "list", "--tree")
        #expect(tree.output == "Trips/\n    2024/\n        Rome  (1)\nHome  (0)\n")
        #expect(
            try bench.json("album", "list").map { $0["title"] as? String }
                == ["Trips", "2024", "Rome", "Home"])
        _ = try bench.json("album", "folder", "put", "Home", "Rome", "--folder", "Trips")
        _ = try bench.json("album", "folder", "rename", "2024", "Empty")
        #expect(
            try bench.run("album", "list", "--tree").output
                == "Trips/\n    Empty/\n    Home  (0)\n    Rome  (1)\n")
        _ = try bench.json("album", "folder", "put", "Rome", "--top")
        #expect(try bench.run("album", "folder", "put", "Trips", "--folder", "Empty").status == 64)
        _ = try bench.json("album", "folder", "delete", "Trips")
        #expect(try bench.run("album", "list", "--tree").output == "Rome  (1)\n")
        #expect(try bench.members("Rome") == ids)
    }

    @Test("invalid album operations fail with a specific status and change nothing")
    func refused() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        _ = try bench.json("album", "create", "Twice")
        _ = try bench.json("album", "create", "Twice")
        _ = try bench.json("album", "create", "Once")
        _ = try bench.json("album", "add", "Once", ids[0])
        let before = try bench.run("album", "list", "--json").output
        let cases: [([String], Int32)] = [
            (["show", "None"], 66), (["show", "Twice"], 64), (["add", "Twice", ids[0]], 64),
            (["add", "None", ids[0]], 66), (["add", "Once", "ffffffff-ffff"], 66),
            (["add", "Once"], 64), (["add", "favorites", ids[0]], 64),
            (["delete", "favorites"], 64), (["delete", "Once", "None"], 66),
            (["rename", "Once", ""], 64), (["create", ""], 64),
            (["create", "x", "--folder", "Once"], 66),
            (["move", "Once", ids[0]], 64), (["move", "Once", ids[1], "--to-end"], 64),
            (["move", "Once", ids[0], "--before", ids[0]], 64),
            (["move", "Once", ids[0], "--to-end", "--to-start"], 64),
            (["cover", "Once", ids[1]], 64), (["folder", "delete", "Once"], 66),
            (["folder", "put", "Once"], 64), (["folder", "put", "favorites", "--top"], 66),
        ]
        for (arguments, status) in cases {
            let result = try bench.run(["album"] + arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(!result.errors.isEmpty)
        }
        let ambiguous = try bench.run("album", "show", "Twice").errors
        for album in try bench.json("album", "list").prefix(2) {
            #expect(ambiguous.contains(album["id"] as? String ?? "none"))
        }
        #expect(try bench.run("list", "--album", "None").status == 66)
        #expect(try bench.run("album", "list", "--json").output == before)
    }

    @Test("smart albums and moments are listed and can be shown by their listed names")
    func others() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        let smart = try bench.json("album", "list", "--smart")
        #expect(smart.contains { $0["id"] as? String == "smart-album/recently-added" })
        #expect(smart.allSatisfy { $0["kind"] as? String == "smartAlbum" })
        for album in smart {
            let isFull = ["all", "recently-added"].contains {
                album["id"] as? String == "smart-album/\($0)"
            }
            #expect(album["count"] as? Int == (isFull ? 2 : 0))
            _ = try bench.json("album", "show", try #require(album["id"] as? String))
        }
        #expect(try Set(bench.members("recently-added")) == Set(ids))
        _ = try bench.json("set", ids[0], "--date", "2024-05-31T23:30:00-02:00")
        _ = try bench.json("set", ids[1], "--date", "2024-06-02T01:00:00")
        let moments = try bench.json("album", "list", "--moments")
        #expect(moments.map { $0["title"] as? String } == ["2024-05-31", "2024-06-02"])
        #expect(moments[0]["startDate"] as? String == "2024-06-01T01:30:00Z")
        #expect(try bench.members(try #require(moments[0]["id"] as? String)) == [ids[0]])
    }
}

extension Workbench {
    /// The identifiers of an album's photos, in album order.
    fileprivate func members(_ arguments: String...) throws -> [String] {
        let result = try run(["album", "show", "--json"] + arguments)
        try #require(result.status == 0, "\(result.errors)")
        return try result.objects.compactMap { $0["id"] as? String }
    }
}
