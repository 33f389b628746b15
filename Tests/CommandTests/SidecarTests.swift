// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// XMP sidecars of pictures.
@Suite("sidecars")
struct SidecarTests {
    private static func xmp(
        date: String? = nil, rating: Int? = nil, keywords: [String] = [],
        position: (latitude: String, longitude: String)? = nil, encoding: String = "UTF-8"
    ) -> String {
        let items = keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        let attributes = [
            date.map { "exif:DateTimeOriginal=\"\($0)\"" }, rating.map { "xmp:Rating=\"\($0)\"" },
            position.map {
                "exif:GPSLatitude=\"\($0.latitude)\" exif:GPSLongitude=\"\($0.longitude)\""
            },
        ].compactMap { $0 }.joined(separator: " ")
        return """
            <?xml version="1.0" encoding="\(encoding)"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
                xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
                \(attributes)>
               \(items.isEmpty ? "" : "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>")
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            """
    }

    /// Imports a picture with sidecars. Returns its `show` output and the messages.
    private func imported(
        _ sidecars: [String: Data], picture: (Workbench) throws -> String = { try $0.picture() }
    ) throws -> (shown: [String: Any], errors: String) {
        let bench = try Workbench()
        let source = try picture(bench)
        let folder = bench.folder.file("card")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/a.jpg")
        for (name, content) in sidecars {
            try content.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let result = try bench.run("import", folder)
        let id = try #require(try bench.json("list").first?["id"] as? String)
        return (try #require(try bench.json("show", id).first), result.errors)
    }

    private static let full = xmp(
        date: "2020-05-01T10:20:30+02:00", rating: 4, keywords: ["harbour", "Åse &amp; Bo"],
        position: ("52,30.0N", "13,15.0E"))

    @Test(
        "the case of the filename extension of a companion does not matter",
        arguments: ["a.XMP", "a.Xmp", "a.jpg.XMP", "a.jpg.xMP"])
    func mixedCase(sidecar: String) throws {
        let bench = try Workbench()
        for name in ["card/a.jpg", "card/a.AAE", "card/" + sidecar] {
            let data =
                name.hasSuffix(".jpg")
                ? try TestPicture.gradient(width: 40, height: 30).encoded("jpeg")
                : Data((name.hasSuffix("AAE") ? "<plist/>" : Self.xmp(rating: 4)).utf8)
            try FileManager.default.createDirectory(
                atPath: bench.folder.file("card"), withIntermediateDirectories: true)
            try bench.folder.write(data, to: name)
        }
        let id = try #require(
            try bench.json("import", bench.folder.file("card")).first?["id"] as? String)
        #expect(try bench.json("show", id).first?["rating"] as? Int == 4)
        let types = try bench.json("resources", id).compactMap { $0["type"] as? String }
        #expect(Set(types).isSuperset(of: ["adjustmentData", "metadataSidecar"]), "\(types)")
        // A changed one replaces it.
        try bench.folder.write(Data(Self.xmp(rating: 2).utf8), to: "card/" + sidecar)
        _ = try bench.json("import", bench.folder.file("card"))
        #expect(try bench.json("show", id).first?["rating"] as? Int == 2)
        #expect(try bench.json("resources", id).count == types.count)
    }

    @Test("P-05 an XMP sidecar supplies what a video lacks; the video's date takes precedence")
    func video() throws {
        let bench = try Workbench()
        let text = Self.xmp(
            date: "2020-05-01T10:20:30+02:00", rating: 4, keywords: ["harbour", "Åse &amp; Bo"],
            position: ("52,30.0N", "13,15.0E"))
        for (name, arguments) in [
            ("silent.mkv", []), ("dated.mp4", ["-metadata", "creation_time=2021-05-06T07:08:09Z"]),
        ] as [(String, [String])] {
            let path = bench.folder.file(name)
            try TestVideo.make(path, size: "64x64", seconds: 1, arguments)
            let sidecar = try bench.folder.write(Data(text.utf8), to: name + ".xmp")
            let lines = try bench.json("import", path, sidecar)
            let id = try #require(lines.first?["id"] as? String)
            let shown = try #require(try bench.json("show", id).first)
            guard name == "dated.mp4" else {
                expectFull(shown, "\(name)")
                continue
            }
            #expect(shown["creationDate"] as? String == "2021-05-06T07:08:09+00:00")
            #expect(shown["rating"] as? Int == 4)
        }
    }

    @Test("P-05 a later XMP sidecar completes a video, and an unreadable one is reported")
    func laterOfVideo() throws {
        let bench = try Workbench()
        let path = bench.folder.file("a.mkv")
        try TestVideo.make(path, size: "64x64", seconds: 1, [])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let empty = try bench.folder.write(Data(), to: "a.xmp")
        _ = try bench.run("import", path, empty)
        #expect(try bench.json("show", id).first?["rating"] is NSNull)
        let sidecar = try bench.folder.write(Data(Self.xmp(rating: 3).utf8), to: "a.mkv.xmp")
        #expect(try bench.run("import", path, sidecar).status == 0)
        #expect(try bench.json("show", id).first?["rating"] as? Int == 3)
    }

    private func expectFull(_ shown: [String: Any], _ comment: Comment) {
        #expect(shown["creationDate"] as? String == "2020-05-01T10:20:30+02:00", comment)
        #expect(shown["rating"] as? Int == 4, comment)
        #expect(shown["keywords"] as? [String] == ["harbour", "Åse & Bo"], comment)
        let location = shown["location"] as? [String: Double]
        #expect(location?["latitude"] == 52.5 && location?["longitude"] == 13.25, comment)
    }

    @Test("a sidecar supplies missing values, in UTF-8 and UTF-16, under either name")
    func fills() throws {
        let texts: [(String, Data?)] = [
            ("UTF-8", Self.full.data(using: .utf8)),
            ("UTF-16 with a mark", Self.full.data(using: .utf16)),
            ("UTF-16, high bytes first", Self.full.data(using: .utf16BigEndian)),
            ("UTF-16, low bytes first", Self.full.data(using: .utf16LittleEndian)),
        ]
        for (encoding, text) in texts {
            expectFull(try imported(["a.xmp": try #require(text)]).shown, "\(encoding)")
        }
        expectFull(try imported(["a.jpg.xmp": Data(Self.full.utf8)]).shown, "a.jpg.xmp")
    }

    @Test("the sidecar with the full file name takes precedence, and the other fills gaps")
    func order() throws {
        let whole = Self.xmp(rating: 2, keywords: ["first"])
        let stem = Self.xmp(date: "2019-01-02T03:04:05", rating: 5, keywords: ["second"])
        let shown = try imported(["a.xmp": Data(stem.utf8), "a.jpg.xmp": Data(whole.utf8)]).shown
        #expect(shown["rating"] as? Int == 2)
        #expect(shown["keywords"] as? [String] == ["first"])
        #expect(shown["creationDate"] as? String == "2019-01-02T03:04:05")
    }

    @Test("a sidecar added later fills only unset values")
    func later() throws {
        let bench = try Workbench()
        let path = try bench.picture()
        _ = try bench.run("import", path)
        let id = try #require(try bench.json("list").first?["id"] as? String)
        _ = try bench.run("set", id, "--rating", "1")
        let sidecar = (path as NSString).deletingPathExtension + ".xmp"
        try Data(Self.full.utf8).write(to: URL(fileURLWithPath: sidecar))
        let result = try bench.run("import", path, sidecar)
        #expect(result.status == 0, "\(result.errors)")
        let shown = try #require(try bench.json("show", id).first)
        #expect(shown["rating"] as? Int == 1)
        #expect(shown["keywords"] as? [String] == ["harbour", "Åse & Bo"])
        #expect(shown["creationDate"] as? String == "2020-05-01T10:20:30+02:00")
        // Importing the same sidecar again does not restore a removed value.
        _ = try bench.run("set", id, "--location", "none")
        _ = try bench.run("import", path, sidecar)
        #expect(try bench.json("show", id).first?["location"] is NSNull)
    }

    @Test("P-05 the file's date takes precedence, but not its position", .corpus)
    func ownDate() throws {
        let path = try Corpus.path("photos/gps/thompson-springs.jpg")
        let shown = try imported(["a.xmp": Data(Self.full.utf8)], picture: { _ in path }).shown
        #expect(shown["creationDate"] as? String == "2022-01-10T15:15:44.31")
        #expect((shown["location"] as? [String: Double])?["latitude"] == 52.5)
    }

    @Test("a sidecar's values take precedence, and the file supplies the others")
    func sidecarFirst() throws {
        let text = Self.xmp(rating: 5, keywords: ["sidecar"])
        let shown = try imported(["a.jpg.xmp": Data(text.utf8)]) { bench in
            let path = try bench.picture()
            // As a camera writes it.
            let tags = ["-XMP-xmp:Rating=0", "-XMP-dc:Subject=camera", "-IPTC:ObjectName=Own"]
            let tagged = try runProgram(
                "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [path])
            #expect(tagged.status == 0, "\(tagged.errors)")
            return path
        }.shown
        #expect(shown["rating"] as? Int == 5)
        #expect(shown["keywords"] as? [String] == ["sidecar"])
        #expect(shown["title"] as? String == "Own")
    }

    @Test("a sidecar's entities are not expanded, and an oversized or invalid one is ignored")
    func hostile() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">
            <!ENTITY c SYSTEM "file:///etc/passwd">]>
            <rdf:Description xmp:Rating="3"><dc:subject><rdf:Bag><rdf:li>&b;&c;</rdf:li></rdf:Bag>
            </dc:subject></rdf:Description>
            """
        let read = try imported(["a.xmp": Data(bomb.utf8)]).shown
        // Entities are never expanded.
        #expect(read["keywords"] as? [String] == ["&b;&c;"] && read["rating"] as? Int == 3)
        let large = try imported(["a.xmp": Data(count: 17 << 20)])
        #expect(large.errors.contains("16 MiB"), "\(large.errors)")
        for bytes: [UInt8] in [[0xFF, 0xFE, 0x3C], [0x3C, 0x00], [0xFE, 0xFF], [0]] {
            #expect(try imported(["a.xmp": Data(bytes)]).shown["rating"] as? Int == nil)
        }
    }

    @Test("a folder with audio and a stray sidecar imports with 0 and reports why both are skipped")
    func others() throws {
        let bench = try Workbench()
        let path = try bench.picture()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let sound = Data("RIFF\u{24}\0\0\0WAVEfmt ".utf8)
        try sound.write(to: folder.appendingPathComponent("sound.wav"))
        try Data(Self.full.utf8).write(to: folder.appendingPathComponent("lonely.xmp"))
        let result = try bench.run("import", folder.path, "--json")
        #expect(result.status == 0, "\(result.errors)")
        let lines = try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.count == 3)
        for line in lines {
            let isPicture = line["path"] as? String == path
            #expect(line["status"] as? String == (isPicture ? "imported" : "skipped"), "\(line)")
            #expect((line["error"] as? String)?.isEmpty == (isPicture ? nil : false), "\(line)")
        }
        // A sound file given explicitly is rejected instead of skipped.
        let named = try bench.run("import", folder.appendingPathComponent("sound.wav").path)
        #expect(named.status == 65 && named.errors.contains("sound.wav"))
    }
}
