// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `resources`, and of the output of `import` for photos with several files.
@Suite("resources")
struct ResourcesTests {
    private let bench: Workbench

    init() throws { bench = try Workbench(extensions: ["SepiaFilter"]) }

    @Test("K-15 K-16 a pair imports as one asset; its files are listed and written")
    func pair() throws {
        let raw = Data("FUJIFILMCCD-RAW is how these begin".utf8)
        try bench.folder.write(
            TestPicture.gradient().encoded("jpeg"), to: "photos/1.JPG")
        try bench.folder.write(raw, to: "photos/1.RAF")
        let lines = try bench.json("import", bench.folder.file("photos"))
        #expect(lines.map { $0["resource"] as? String } == ["photo", "alternatePhoto"])
        #expect(lines.map { $0["status"] as? String } == ["imported", "imported"])
        let id = try #require(lines[0]["id"] as? String)
        #expect(lines[1]["id"] as? String == id)
        _ = try bench.json("edit", id, "--with", "sepia")
        let listed = try bench.json("resources", id)
        #expect(
            listed.map { $0["type"] as? String } == [
                "photo", "alternatePhoto", "adjustmentBasePhoto", "fullSizePhoto",
                "adjustmentData",
            ])
        #expect(listed[1]["uniformTypeIdentifier"] as? String == "public.camera-raw-image")
        #expect(listed[1]["size"] as? Int == raw.count)
        #expect(listed[1]["filename"] as? String == "1.RAF")
        #expect(listed.allSatisfy { $0["isStored"] as? Bool == true })
        let out = bench.folder.file("out.raf")
        let written = try bench.json(
            "resources", id, "--type", "alternatePhoto", "--output", out)
        #expect(written.map { $0["path"] as? String } == [out])
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == raw)
        func status(_ arguments: String...) throws -> Int32 {
            try bench.run(["resources", id] + arguments).status
        }
        #expect(try status("--type", "alternatePhoto", "--output", out) == 73)
        #expect(try status("--output", out + "2") == 64)
        #expect(try status("--type", "pairedVideo", "--output", out + "2") == 66)
        #expect(try status("--type", "nonsense") == 64)
        let none = try bench.run("resources", id, "--filename", "none")
        #expect(
            none.status == 66 && none.output.isEmpty
                && none.errors.contains(
                    "no file has this type and name")
        )
        #expect(try status("--type", "pairedVideo", "--json") == 66)
        #expect(try status() == 0)
        let recipe = bench.folder.file("recipe")
        #expect(try status("--type", "adjustmentData", "--output", recipe) == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: recipe)).isEmpty == false)
        // Foundation traps when it computes the parent folder of such a name.
        #expect(try status("--type", "adjustmentData", "--output", "x") == 0)
        #expect(FileManager.default.contentsEqual(atPath: bench.folder.file("x"), andPath: recipe))
    }
}
