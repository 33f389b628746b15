// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Everything that the library stores about photos, as JSON.
@Suite("dump")
struct DumpTests {
    @Test("dump prints metadata, files, albums, and all edits with their recipes")
    func everything() throws {
        let (bench, ids) = try Workbench.withPhotos(2, extensions: ["SepiaFilter"])
        _ = try bench.json("set", ids[0], "--title", "Pier", "--keyword", "sea", "--rating", "4")
        _ = try bench.json("album", "create", "Summer")
        _ = try bench.json("album", "add", "Summer", ids[0])
        for intensity in ["0.25", "0.75"] {
            _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=\(intensity)")
        }
        _ = try bench.json("version", "save", ids[0], "--name", "warm")
        _ = try bench.json("undo", ids[0])
        let rows = try bench.run("dump", ids[0], ids[1]).objects
        #expect(rows.map { $0["id"] as? String } == ids)
        let row = try #require(rows.first)
        #expect(row["title"] as? String == "Pier")
        #expect(row["keywords"] as? [String] == ["sea"])
        #expect(row["rating"] as? Int == 4)
        #expect(row["state"] as? Int == 1)
        let albums = try #require(row["albums"] as? [[String: Any]])
        #expect(albums.map { $0["title"] as? String } == ["Summer"])
        let original = try #require(row["original"] as? [String: Any])
        let path = bench.folder.file("photos/picture0.png")
        let hash = try runProgram("/usr/bin/sha256sum", [path]).output.prefix(64)
        #expect(original["hash"] as? String == String(hash))
        let edits = try #require(row["edits"] as? [[String: Any]])
        #expect(edits.count == 2)
        for (edit, intensity) in zip(edits, [0.25, 0.75]) {
            let recipe = Data(try #require(edit["recipe"] as? String).utf8)
            let values = try JSONSerialization.jsonObject(with: recipe) as? [String: Any]
            #expect(values?["intensity"] as? Double == intensity)
            #expect(edit["recipeBytes"] is NSNull)
        }
        let names = edits.map { $0["edit"] as? String }
        let states = try #require(row["states"] as? [[String: Any]])
        #expect(states.map { $0["edit"] as? String } == names)
        let versions = try #require(row["versions"] as? [[String: Any]])
        #expect(versions.map { $0["version"] as? String } == ["warm"])
        #expect(versions.first?["edit"] as? String == names[1])
        let files = try #require(row["resources"] as? [[String: Any]])
        let listed = try bench.json("resources", ids[0])
        #expect(files.map { $0["hash"] as? String } == listed.map { $0["hash"] as? String })
        #expect(row["isStale"] as? Bool == false)
        let other = try #require(rows.last)
        #expect((other["edits"] as? [Any])?.isEmpty == true && other["isStale"] as? Bool == false)
    }

    @Test("dump names stale pictures, and those that cannot be rendered again")
    func stale() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        let folder = bench.folder.file("extensions")
        try TestExtension.buildAdder(in: folder)
        _ = try bench.json("edit", ids[0], "--with", "adder", "--set", "amount=1")
        #expect(try bench.run("dump", ids[0]).objects.first?["isStale"] as? Bool == false)
        // Another build of the extension.
        try FileManager.default.removeItem(atPath: folder)
        try TestExtension.buildAdder(defines: ["DRAWS_ELSE"], in: folder)
        let stale = try #require(try bench.run("dump", ids[0]).objects.first)
        #expect(stale["isStale"] as? Bool == true)
        #expect((stale["staleReason"] as? String)?.isEmpty == false)
        try FileManager.default.removeItem(atPath: folder)
        let missing = try bench.run("dump", "--all").objects
        #expect(missing.count == 2)
        let row = try #require(missing.first { $0["id"] as? String == ids[0] })
        #expect(row["isStale"] is NSNull)
        #expect((row["staleReason"] as? String)?.contains("org.example.adder") == true)
    }

    @Test("a dump that fails ends with an error object")
    func failure() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let result = try bench.run("dump", ids[0], "ffffffff")
        #expect(result.status == 66)
        #expect(try result.objects.last?["errorCode"] as? String == "noSuchAsset")
    }
}
