// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import TestSupport
import Testing

/// Contact sheets in HTML, and the captions of both formats.
@Suite("contact sheets")
struct ContactSheetTests {
    /// File names, each with the caption that shows it.
    private static let names = [
        ("a&b<c>\"d'.png", "a&b<c>\"d'.png"),
        ("\u{1}odd\u{202E}gpj.png", "\\u{1}odd\\u{202e}gpj.png"),
        ("x\" onerror=\"alert(1).png", "x\" onerror=\"alert(1).png"), ("ж日.png", "ж日.png"),
    ]

    /// Writes a contact sheet of all photos.
    private func sheet(
        _ bench: Workbench, _ name: String, _ arguments: String...
    ) throws -> (path: String, elements: [Element]) {
        let path = bench.folder.file(name)
        let lines = try bench.json(["image", "--all", "--contact-sheet", path] + arguments)
        #expect(lines.count == 1 && lines[0]["path"] as? String == path)
        return (path, try elements(of: path))
    }

    private func elements(of path: String) throws -> [Element] {
        let reader = Reader()
        let parser = try #require(XMLParser(contentsOf: URL(fileURLWithPath: path)))
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        return reader.elements
    }

    @Test("an HTML contact sheet contains every picture, a caption and no active content")
    func page() throws {
        let bench = try Workbench()
        for (seed, (name, _)) in Self.names.enumerated() {
            _ = try bench.importPicture(seed: seed, name: name)
        }
        let (path, elements) = try sheet(bench, "sheet.html", "--size", "20x20")
        func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }
        #expect(
            Set(elements.map(\.name)) == [
                "html", "head", "meta", "title", "style", "body", "main", "h1", "div", "figure",
                "img", "figcaption", "bdi",
            ])
        #expect(all("html").first?.attributes["lang"] == "en")
        #expect(all("title").first?.text == "Contact sheet")
        let policies = all("meta").filter {
            $0.attributes["http-equiv"] == "Content-Security-Policy"
        }
        let policy = try #require(policies.first?.attributes["content"])
        #expect(policy.contains("default-src 'none'; img-src data:;"), "\(policy)")
        #expect(!policy.contains("script") && !policy.contains("http"), "\(policy)")

        #expect(all("figure").count == 4 && all("figcaption").count == 4)
        let expected = Set(Self.names.map(\.1))
        #expect(Set(all("bdi").map(\.text)) == expected)
        #expect(Set(all("img").compactMap { $0.attributes["alt"] }) == expected)
        for image in all("img") {
            #expect(Set(image.attributes.keys) == ["width", "height", "alt", "src"])
            let source = try #require(image.attributes["src"])
            let start = "data:image/jpeg;base64,"
            try #require(source.hasPrefix(start), "\(source.prefix(40))")
            let bytes = try #require(Data(base64Encoded: String(source.dropFirst(start.count))))
            let picture = try TestPicture(decoding: bytes)
            #expect(image.attributes["width"] == "\(picture.width)")
            #expect(image.attributes["height"] == "\(picture.height)")
            #expect(picture.width <= 20 && picture.height <= 20)
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("<!DOCTYPE html>\n"))
        #expect(!text.unicodeScalars.contains("\u{202E}"))
    }

    @Test("an HTML contact sheet prints as pages and has a light and a dark scheme")
    func style() throws {
        let (bench, _) = try Workbench.withPhotos(1)
        let elements = try sheet(bench, "sheet.HTML", "--size", "512x400").elements
        let style = try #require(elements.first { $0.name == "style" }?.text)
        for words in [
            "color-scheme: light dark", "@page {", "@media print {", "break-inside: avoid",
            "aspect-ratio: 512 / 400", "width: calc(100% / 2)",
        ] {
            #expect(style.contains(words), "\(words)")
        }
        #expect(!style.contains("url("))
    }

    @Test("captions show the name, the date without fractions and the identifier, in any order")
    func captions() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        _ = try bench.json("set", ids[0], "--date", "2024-05-31T18:30:00.25+02:00")
        let short = ids.map { String($0.prefix(8)) }
        let lines = Set([
            "picture0.png", "2024-05-31 18:30:00+02:00", short[0], "picture1.png", "unknown date",
            short[1],
        ])
        let page = try sheet(bench, "sheet.html", "--caption", "name,date,id").elements
        #expect(Set(page.filter { $0.name == "bdi" }.map(\.text)) == lines)
        #expect(page.count { $0.name == "bdi" } == 6 && page.count { $0.name == "br" } == 4)
        #expect(
            Set(page.compactMap { $0.attributes["alt"] }) == [
                "picture0.png, 2024-05-31 18:30:00+02:00, \(short[0])",
                "picture1.png, unknown date, \(short[1])",
            ])
        let reversed = try sheet(bench, "sheet.html", "--caption", "id,name").elements
        let words = reversed.filter { $0.name == "bdi" }.map(\.text)
        #expect(
            Set([words.prefix(2), words.suffix(2)]) == [
                [short[0], "picture0.png"], [short[1], "picture1.png"],
            ])

        let grid = try sheet(bench, "sheet.svg", "--caption", "name,date,id").elements
        // A viewer shows the first element of a text, its title, as a tooltip.
        #expect(Set(grid.filter { $0.name == "title" }.map(\.text)) == lines)
        #expect(grid.count { $0.name == "text" } == 6)
        // One row between two margins: 12 + 256 + 3 * 17 + 5 + 12.
        #expect(grid.first?.attributes["height"] == "336")
        let plain = try sheet(bench, "sheet.svg").elements
        // With one line: 12 + 256 + 17 + 5 + 12.
        #expect(plain.first?.attributes["height"] == "302")
    }

    @Test(
        "a photo that cannot be rendered is a note in the sheet, and the status is 1",
        arguments: ["html", "svg"])
    func failure(format: String) throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        let original = FileManager.default.contents(
            atPath: bench.folder.file("photos/picture0.png"))
        let stored = try FileManager.default.subpathsOfDirectory(atPath: blobs)
            .map { "\(blobs)/\($0)" }
            .first { FileManager.default.contents(atPath: $0) == original }
        try FileManager.default.removeItem(atPath: try #require(stored))
        let path = bench.folder.file("sheet.\(format)")
        let result = try bench.run("image", "--all", "--contact-sheet", path)
        #expect(result.status == 1, "\(result.errors)")
        let elements = try elements(of: path)
        #expect(elements.count { ["img", "image"].contains($0.name) } == 1)
        let texts = elements.map(\.text)
        let expected: Set = ["cannot be rendered", String(ids[0].prefix(8)), "picture1.png"]
        #expect(expected.isSubset(of: texts), "\(texts)")
    }

    @Test("a contact sheet that cannot be written is reported and leaves no file")
    func unwritable() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let missing = try bench.run("image", ids[0], "--contact-sheet", "missing/sheet.html")
        #expect(missing.status == 73, "\(missing.errors)")
        #expect(missing.errors.contains("missing does not exist; create it"), "\(missing.errors)")
        let folder = bench.folder.file("sheet.html")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let result = try bench.run("image", ids[0], "--contact-sheet", folder)
        #expect(result.status != 0 && result.errors.contains("not overwritten"))
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(!names.contains { $0.hasPrefix(".edithost") }, "\(names)")
    }

    @Test("unknown captions and formats are rejected with the choices")
    func usage() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let sheet = ["image", ids[0], "--contact-sheet"]
        let wrong: [([String], String)] = [
            (sheet + ["a.svg", "--caption", "size"], "'name', 'date' or 'id'"),
            (sheet + ["a.svg", "--caption", "name,"], "'name', 'date' or 'id'"),
            (sheet + ["a.svg", "--caption", ""], "'name', 'date' or 'id'"),
            (["image", ids[0], "--output", "a.png", "--caption", "id"], "--contact-sheet"),
            (sheet + ["a.png"], ".pdf, .jpg, .html or .svg"),
            (sheet + ["a"], ".pdf, .jpg, .html or .svg"),
            (sheet + ["a.html", "--mode", "fill"], "--mode"),
        ]
        for (arguments, words) in wrong {
            let result = try bench.run(arguments)
            #expect(result.status == 64, "\(arguments)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
        }
    }

    /// An element with the text directly in it.
    private struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""
    }

    /// Reads the elements of a document in the order of their start tags.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        private var open: [Int] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append(Element(name: name, attributes: attributes))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
            qualifiedName: String?
        ) { open.removeLast() }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if let last = open.last { elements[last].text += text }
        }
    }
}
