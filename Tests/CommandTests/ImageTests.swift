// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import TestSupport
import Testing

/// Pictures rendered for viewing.
@Suite("image command")
struct ImageTests {
    @Test("a picture is rendered at the requested size in the format of the file extension")
    func output() throws {
        let bench = try Workbench()
        let file = try bench.folder.write(
            TestPicture.gradient(width: 400, height: 200).encoded(), to: "a.png")
        let id = try #require(try bench.json("import", file).first?["id"] as? String)
        let path = bench.folder.file("out.png")
        let rendered = try bench.json("image", id, "--size", "100x100", "--output", path)
        #expect(
            rendered.count == 1
                && Set(rendered[0].keys) == ["id", "path", "pixelWidth", "pixelHeight"])
        #expect(
            rendered[0]["pixelWidth"] as? Int == 100 && rendered[0]["pixelHeight"] as? Int == 50)
        let picture = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
        #expect((picture.width, picture.height) == (100, 50))
        _ = try bench.json(
            "image", id, "--crop", "0.25,0.25,0.5,0.5", "--mode", "fill", "-o", path)
        let part = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
        let whole = TestPicture.gradient(width: 400, height: 200)
        #expect((part.width, part.height) == (200, 100))
        #expect(part.samples[0] == whole.samples[(50 * 400 + 100) * 3])
    }

    @Test(
        "many pictures render into a folder without overwriting; a second run gives the same files"
    )
    func folder() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let folder = bench.folder.file("thumbnails")
        for time in 0..<2 {
            let rendered = try bench.json("image", "--all", "--size", "16x16", "--to", folder)
            #expect(Set(rendered.compactMap { $0["id"] as? String }) == Set(ids))
            let names = rendered.compactMap { ($0["path"] as? NSString)?.lastPathComponent }
            let suffix = time == 0 ? "" : "-1"
            #expect(names.sorted() == (0..<3).map { "picture\($0)\(suffix).jpg" })
        }
        let first = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/picture0.jpg"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/picture0-1.jpg")) == first)
        #expect(try TestPicture(decoding: first).width == 16)
    }

    @Test("a contact sheet is well-formed XML for any names and has every picture")
    func contactSheet() throws {
        let bench = try Workbench()
        for (index, name) in ["a&b<c>\"d\".png", "\u{1}odd\u{202E}.png", "ж日.png"].enumerated() {
            let file = try bench.picture(seed: index, name: name)
            _ = try bench.json("import", file)
        }
        let path = bench.folder.file("sheet.svg")
        let lines = try bench.json("image", "--all", "--contact-sheet", path)
        #expect(lines.count == 1 && lines[0]["count"] as? Int == 3)
        let counter = ElementCounter()
        let parser = try #require(XMLParser(contentsOf: URL(fileURLWithPath: path)))
        parser.delegate = counter
        #expect(parser.parse())
        #expect(counter.counts["image"] == 3 && counter.counts["text"] == 3)
    }

    @Test("wrong usage suggests a fix and exits with 64")
    func usage() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        let wrong: [([String], String)] = [
            (["image", ids[0]], "--output"),
            (["image", ids[0], "--output", "a.jpg", "--to", "b"], "--output"),
            (["image", "--all", "--output", "a.jpg"], "--to"),
            (["image", ids[0], "--output", "a.doc"], "a.doc"),
            (["image", ids[0], "--output", "a.jpg", "--crop", "0,0,2,1"], "0,0,2,1"),
            (["image", ids[0], "-o", "a.jpg", "--crop", "0,0,1,1", "--resize", "fast"], "exact"),
            (["image", ids[0], "-o", "a.jpg", "--size", "0x5"], "0x5"),
            (["image", ids[0], "-o", "a.png", "--quality", "5"], "--quality"),
            (["image", "--all", "--contact-sheet", "a.png"], ".svg"),
        ]
        for (arguments, word) in wrong {
            let result = try bench.run(arguments)
            #expect(result.status == 64, "\(arguments)")
            #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
        }
    }

    private final class ElementCounter: NSObject, XMLParserDelegate {
        var counts: [String: Int] = [:]

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) { counts[name, default: 0] += 1 }
    }
}
