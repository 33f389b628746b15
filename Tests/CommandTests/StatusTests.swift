// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `status`.
@Suite("status")
struct StatusTests {
    @Test("status counts assets, and adds up the sizes of their files")
    func counts() throws {
        let (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        func status() throws -> [String: Any] {
            try #require(try bench.json("status").first)
        }
        func numbers(_ row: [String: Any], _ names: String...) -> [Int?] {
            names.map { row[$0] as? Int }
        }
        func size(_ id: String, _ type: String) throws -> Int {
            try bench.json("resources", id, "--type", type).compactMap { $0["size"] as? Int }
                .reduce(0, +)
        }
        let before = try status()
        #expect(
            numbers(before, "photos", "videos", "hidden", "edited", "albums", "referenced")
                == [3, 0, 0, 0, 0, 0])
        let originals = try ids.map { try size($0, "photo") }
        #expect(
            numbers(before, "originalBytes", "renditionBytes", "unused", "unusedBytes")
                == [originals.reduce(0, +), 0, 0, 0])
        _ = try bench.json("hide", ids[0])
        _ = try bench.json("edit", ids[1], "--with", "sepia")
        _ = try bench.json("album", "create", "A")
        let edited = try status()
        #expect(numbers(edited, "photos", "hidden", "edited", "albums") == [3, 1, 1, 1])
        // There can also be a lossless input for later edits.
        let renditions = try #require(edited["renditionBytes"] as? Int)
        #expect(try renditions >= size(ids[1], "fullSizePhoto") && renditions > 0)
        let token = try #require(before["token"] as? String)
        #expect(edited["token"] as? String != token)
        let changes = try bench.json("watch", "--since", token, "--no-wait")
        #expect(changes.last?["token"] as? String == edited["token"] as? String)
        let text = try bench.run("status")
        #expect(text.status == 0 && text.output.contains("\nphotos      3\n"), "\(text.output)")
    }

    @Test("status of a missing library fails, and creates none")
    func missing() throws {
        let bench = try Workbench()
        #expect(try bench.run("status").status == 65)
        #expect(
            !FileManager.default.fileExists(atPath: bench.folder.file("Photos.editlibrary")))
    }
}
