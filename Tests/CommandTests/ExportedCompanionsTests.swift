// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The companion files of an original, exported next to it.
@Suite("exported companions")
struct ExportedCompanionsTests {
    private static let sidecar = Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)

    @Test("AAE, XMP and RAW export next to the original, byte for byte, with the same number")
    func names() throws {
        let bench = try Workbench()
        let card = bench.folder.file("card")
        try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
        let picture = try bench.picture(name: "IMG_1.PNG")
        try FileManager.default.copyItem(atPath: picture, toPath: "\(card)/IMG_1.PNG")
        let aae = Data("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>".utf8)
        let files = ["IMG_1.AAE": aae, "IMG_1.PNG.xmp": Self.sidecar]
        for (name, bytes) in files { _ = try bench.folder.write(bytes, to: "card/\(name)") }
        let imported = try bench.run("import", card)
        let id = try #require(try bench.json("list").first?["id"] as? String, "\(imported.errors)")
        let resources = try bench.json("resources", id)
        try #require(resources.count == 3, "\(imported.errors)")
        let folder = bench.folder.file("out")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // A foreign file already has the name of one of them.
        _ = try bench.folder.write(Data([1]), to: "out/IMG_1-1.AAE")
        for number in ["", "-2", "-3"] {
            let made = try #require(
                try bench.json(
                    "export", id, "--version", "original", "--with-companions", "--to", folder
                ).first)
            #expect(made["path"] as? String == "\(folder)/IMG_1\(number).PNG")
            let companions = try #require(made["companions"] as? [String])
            let expected = ["IMG_1\(number).AAE", "IMG_1\(number).PNG.xmp"]
            #expect(Set(companions) == Set(expected.map { "\(folder)/\($0)" }))
            for (name, bytes) in zip(expected, [aae, Self.sidecar]) {
                #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")) == bytes)
            }
            let original = try Data(contentsOf: URL(fileURLWithPath: picture))
            let path = "\(folder)/IMG_1\(number).PNG"
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)
            try ExportedFiles.forget(folder)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 10 && !names.contains { $0.hasPrefix(".") }, "\(names)")
        let result = try bench.run(
            "export", id, "--version", "original", "--with-companions", "--to",
            bench.folder.file("lines"))
        #expect(result.output.split(separator: "\n").count == 3, "\(result.output)")
    }

    @Test("the RAW file of a pair exports next to the picture, byte for byte", .corpus)
    func raw() throws {
        let bench = try Workbench()
        let card = bench.folder.file("card")
        try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
        // A RAW file is exported with the camera's JPEG.
        let picture = try Corpus.path("photos/gps/thompson-springs.jpg")
        try FileManager.default.copyItem(atPath: picture, toPath: "\(card)/IMG_1.JPG")
        let raw = try Corpus.path("cameras/colorchart.dng")
        try FileManager.default.copyItem(atPath: raw, toPath: "\(card)/IMG_1.DNG")
        let imported = try bench.run("import", card)
        let listed = try bench.json("list")
        #expect(listed.count == 1, "\(imported.errors)")
        let id = try #require(listed.first?["id"] as? String)
        let folder = bench.folder.file("out")
        let made = try #require(
            try bench.json(
                "export", id, "--version", "original", "--with-companions", "--to", folder
            ).first)
        #expect(made["path"] as? String == "\(folder)/IMG_1.JPG")
        #expect(made["companions"] as? [String] == ["\(folder)/IMG_1.DNG"])
        for (path, name) in [(raw, "IMG_1.DNG"), (picture, "IMG_1.JPG")] {
            let out = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            #expect(try out == Data(contentsOf: URL(fileURLWithPath: path)), "\(name)")
        }
    }

    @Test("without --with-companions only the original is exported")
    func alone() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        _ = try bench.folder.write(Self.sidecar, to: "photos/a.xmp")
        _ = try bench.run("import", bench.folder.file("photos"))
        let id = try #require(try bench.json("list").first?["id"] as? String)
        let folder = bench.folder.file("out")
        _ = try bench.json("export", id, "--version", "original", "--to", folder)
        #expect(try ExportedFiles.names(in: folder) == ["a.png"])
        _ = path
    }
}
