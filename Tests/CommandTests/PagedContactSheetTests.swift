// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Contact sheets as pages, in PDF and JPEG.
@Suite("contact sheets as pages")
struct PagedContactSheetTests {
    /// The width of an A4 page in points, and the margins and gaps of the layout.
    private static let (pageWidth, margin, gap) = (210 * 72 / 25.4, 12 * 72 / 25.4, 12.0)

    private func write(
        _ bench: Workbench, _ name: String, _ arguments: String...
    ) throws -> (path: String, rows: [[String: Any]]) {
        let path = bench.folder.file(name)
        return (
            path, try bench.json(["image", "--all", "--contact-sheet", path] + arguments)
        )
    }

    private func poppler(_ program: String, _ arguments: String...) throws -> String {
        let result = try runProgram("/usr/bin/\(program)", arguments)
        try #require(result.status == 0, "\(result.errors)")
        return result.output
    }

    private func names(in bench: Workbench, prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
            .filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// Imports pictures of one colour.
    private func importColors(
        _ colors: [[UInt8]], width: Int, height: Int, to bench: Workbench
    ) throws {
        for (number, color) in colors.enumerated() {
            let samples = (0..<width * height).flatMap { _ in color }
            let picture = TestPicture(width: width, height: height, bands: 3, samples: samples)
            let path = try bench.folder.write(
                picture.encoded(), to: "photos/color\(number).png")
            _ = try bench.json("import", path)
        }
    }

    // MARK: - PDF

    @Test("a PDF contact sheet has A4 pages with page numbers and all captions as text", .poppler)
    func pages() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        // Boxes of 1024 pixels fill the width of a page.
        let (path, rows) = try write(
            bench, "sheet.PDF", "--size", "1024x1024", "--caption", "name,date,id")
        #expect(rows.count == 1 && rows[0]["path"] as? String == path)
        #expect(rows[0]["count"] as? Int == 3)
        let facts = try poppler("pdfinfo", path)
        for words in ["Contact sheet", " 3\n", "595.276 x 841.89 pts (A4)"] {
            #expect(facts.contains(words), "\(facts)")
        }
        for number in 1...3 {
            let text = try poppler("pdftotext", "-f", "\(number)", "-l", "\(number)", path, "-")
            // Poppler may omit the narrow spaces of the page number.
            let words = text.filter { !$0.isWhitespace }
            #expect(words.contains("unknowndate") && words.contains("\(number)/3"), "\(text)")
            #expect(text.matches(of: /picture[0-2]\.png/).count == 1)
            #expect(ids.count { text.contains($0.prefix(8)) } == 1)
        }
    }

    @Test("a PDF contact sheet contains the JPEG files of the pictures unchanged", .poppler)
    func files() throws {
        let (bench, _) = try Workbench.withPhotos(3)
        let (path, _) = try write(bench, "sheet.pdf")
        _ = try poppler("pdfimages", "-all", path, bench.folder.file("picture"))
        let found = try names(in: bench, prefix: "picture")
        #expect(found == ["picture-000.jpg", "picture-001.jpg", "picture-002.jpg"])
        let (page, _) = try write(bench, "sheet.html")
        let text = try String(contentsOfFile: page, encoding: .utf8)
        for name in found {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.folder.file(name)))
            #expect(text.contains(bytes.base64EncodedString()), "\(name)")
        }
    }

    @Test("captions of a PDF use any script, and hidden characters are escaped", .poppler)
    func scripts() throws {
        let bench = try Workbench()
        let names = ["жук.png", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}.png", "\u{1}odd\u{202E}gpj.png"]
        for (seed, name) in names.enumerated() {
            _ = try bench.importPicture(seed: seed, name: name)
        }
        let (path, _) = try write(bench, "sheet.pdf", "--size", "512x512")
        // Poppler adds spaces between Hebrew letters.
        let text = try poppler("pdftotext", path, "-").filter { !$0.isWhitespace }
        for words in ["жук.png", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\\u{1}odd\\u{202e}gpj.png"] {
            #expect(text.contains(words), "\(words): \(text)")
        }
    }

    @Test("a photo that cannot be rendered is a note in a PDF", .poppler)
    func failure() throws {
        let (bench, ids) = try benchWithMissingOriginal()
        let path = bench.folder.file("sheet.pdf")
        let result = try bench.run("image", "--all", "--contact-sheet", path)
        #expect(result.status == 1, "\(result.errors)")
        let text = try poppler("pdftotext", path, "-")
        for words in ["cannot be rendered", String(ids[0].prefix(8)), "picture1.png"] {
            #expect(text.contains(words), "\(text)")
        }
    }

    /// A workbench with two photos, the first one without its file.
    private func benchWithMissingOriginal() throws -> (Workbench, [String]) {
        let (bench, ids) = try Workbench.withPhotos(2)
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        let original = FileManager.default.contents(
            atPath: bench.folder.file("photos/picture0.png"))
        let stored = try FileManager.default.subpathsOfDirectory(atPath: blobs)
            .map { "\(blobs)/\($0)" }
            .first { FileManager.default.contents(atPath: $0) == original }
        try FileManager.default.removeItem(atPath: try #require(stored))
        return (bench, ids)
    }

    // MARK: - JPEG

    @Test("a JPEG contact sheet of one page has each picture in the middle of its box")
    func pixels() throws {
        let bench = try Workbench()
        let colors: [[UInt8]] = [
            [200, 40, 40], [40, 200, 40], [40, 40, 200], [200, 200, 40], [90, 90, 90],
        ]
        try importColors(colors, width: 512, height: 256, to: bench)
        let (path, rows) = try write(bench, "sheet.jpg")
        #expect(rows.count == 1 && rows[0]["path"] as? String == path)
        #expect(rows[0]["count"] as? Int == 5)
        #expect(try names(in: bench, prefix: "sheet") == ["sheet.jpg"])
        let page = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
        // Four columns of boxes with 256 pixels, and one line of 10 points 3 points below each.
        let column = (Self.pageWidth - 2 * Self.margin + Self.gap) / 4 - Self.gap
        let scale = 256 / column
        #expect(page.width == Int((Self.pageWidth * scale).rounded(.up)))
        #expect(page.height == Int((297 * 72 / 25.4 * scale).rounded(.up)))
        func sample(_ x: Double, _ y: Double) -> [Int] {
            let start = (Int(y * scale) * page.width + Int(x * scale)) * 3
            return page.samples[start..<start + 3].map(Int.init)
        }
        var found: [[Int]] = []
        for index in 0..<5 {
            let x = Self.margin + Double(index % 4) * (column + Self.gap) + column / 2
            let top = Self.margin + Double(index / 4) * (column + 13 + Self.gap)
            found.append(sample(x, top + column / 2))
            // The picture is half as high as its box. Above and below it, the page is white.
            for y in [top + column / 8, top + column * 7 / 8] {
                #expect(sample(x, y) == [255, 255, 255])
            }
            for y in [top + column * 0.4, top + column * 0.6] {
                #expect(sample(x, y) == found[index])
            }
        }
        #expect(Set(found) == Set(colors.map { $0.map(Int.init) }))
    }

    @Test("a JPEG contact sheet of several pages is numbered so that the names sort")
    func numbers() throws {
        let (bench, _) = try Workbench.withPhotos(10)
        try bench.folder.write(Data("earlier".utf8), to: "sheet.jpeg")
        let (_, rows) = try write(bench, "sheet.jpeg", "--size", "1024x1024")
        let expected = (1...9).map { "sheet-0\($0).jpeg" } + ["sheet-10.jpeg"]
        #expect(rows.compactMap { $0["path"] as? String } == expected.map(bench.folder.file))
        #expect(rows.allSatisfy { $0["count"] as? Int == 1 })
        #expect(try names(in: bench, prefix: "sheet") == expected + ["sheet.jpeg"])
        for name in expected {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.folder.file(name)))
            #expect(bytes.starts(with: [0xFF, 0xD8]), "\(name)")
        }
        let earlier = FileManager.default.contents(atPath: bench.folder.file("sheet.jpeg"))
        #expect(earlier == Data("earlier".utf8))
    }

    @Test("a page of several replaces no file")
    func existingPage() throws {
        let (bench, _) = try Workbench.withPhotos(2)
        let page = try bench.folder.write(Data("a photo".utf8), to: "sheet-2.jpg")
        let result = try bench.run(
            "image", "--all", "--size", "1024x1024", "--contact-sheet",
            bench.folder.file("sheet.jpg"))
        #expect(result.status == 73 && result.errors.contains("sheet-2.jpg already exists"))
        #expect(try names(in: bench, prefix: "sheet") == ["sheet-2.jpg"])
        #expect(FileManager.default.contents(atPath: page) == Data("a photo".utf8))
    }

    @Test("a photo that cannot be rendered is an outlined box on a JPEG page")
    func failedPixels() throws {
        let (bench, _) = try benchWithMissingOriginal()
        let path = bench.folder.file("sheet.jpg")
        let result = try bench.run("image", "--all", "--contact-sheet", path, "--json")
        #expect(result.status == 1, "\(result.errors)")
        let row = try #require(try result.objects.last)
        #expect(row["path"] as? String == path && row["count"] as? Int == 1)
        let page = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
        // At an eighth of the boxes' height, only the sides of the outline are not white.
        let column = (Self.pageWidth - 2 * Self.margin + Self.gap) / 4 - Self.gap
        let y = Int((Self.margin + column / 8) * 256 / column)
        let isDark = (0..<page.width).map { page.samples[(y * page.width + $0) * 3] < 220 }
        #expect(zip(isDark, isDark.dropFirst()).count { !$0 && $1 } == 2)
    }

    // MARK: - Errors

    @Test("a page that cannot be written is reported before anything is rendered")
    func unwritable() throws {
        let (bench, _) = try Workbench.withPhotos(2)
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("sheet-2.jpg"), withIntermediateDirectories: false)
        let result = try bench.run(
            "image", "--all", "--size", "1024x1024", "--contact-sheet",
            bench.folder.file("sheet.jpg"))
        #expect(result.status != 0 && result.errors.contains("sheet-2.jpg is a folder"))
        #expect(try names(in: bench, prefix: "sheet") == ["sheet-2.jpg"])
    }

    @Test(
        "boxes of pages that are larger than sRGB pictures are rejected", arguments: ["pdf", "jpg"])
    func tooLarge(ending: String) throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let path = bench.folder.file("sheet.\(ending)")
        let result = try bench.run(
            "image", ids[0], "--size", "2049x10", "--contact-sheet", path)
        #expect(result.status == 64 && result.errors.contains("2048x2048"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a sheet without photos is an empty page", arguments: ["pdf", "jpg"])
    func empty(ending: String) throws {
        let (bench, _) = try Workbench.withPhotos(1)
        let path = bench.folder.file("sheet.\(ending)")
        let rows = try bench.json(
            "image", "--rating", "5", "--contact-sheet", path)
        #expect(rows.count == 1 && rows[0]["count"] as? Int == 0)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("any number of lines and any shape of boxes leave room for pictures")
    func shapes() throws {
        let (bench, _) = try Workbench.withPhotos(2)
        let caption = Array(repeating: "name", count: 100).joined(separator: ",")
        for size in ["1x1", "1x2048", "2048x1", "2048x2048"] {
            let (_, rows) = try write(bench, "sheet.pdf", "--size", size, "--caption", caption)
            #expect(rows[0]["count"] as? Int == 2, "\(size)")
        }
    }
}
