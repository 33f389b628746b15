// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `export --preset`, `--name` and `--sharpen`.
@Suite("export names, presets and sharpening")
struct ExportPresetTests {
    private let bench: Workbench
    private let ids: [String]
    private let folder: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        folder = bench.folder.file("out")
        for (id, date) in zip(ids, ["2024-05-01T23:30:00-05:00", "2024-06-02T10:00:00", "none"]) {
            _ = try bench.json("set", id, "--date", date)
        }
    }

    /// The exported paths below the folder, with the reason for each.
    private func export(_ arguments: String...) throws -> [String: String] {
        try bench.json(["export", "--to", folder] + arguments).reduce(into: [:]) {
            guard let path = $1["path"] as? String else { return }
            $0[String(path.dropFirst(folder.count + 1))] = $1["reason"] as? String
        }
    }

    private func refused(_ arguments: String...) throws -> (status: Int32, words: String) {
        let result = try bench.run(["export", ids[0], "--to", folder] + arguments)
        return (result.status, result.errors)
    }

    /// All files below the folder, except the record.
    private func files() throws -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
            .filter { $0.contains(".") && $0 != ".edithost-export.jsonl" }.sorted()
    }

    private func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !$0.contains(".") }.sorted()
    }

    @Test("a template names files and folders by date, name, version and number")
    func template() throws {
        let template = "{date:%Y/%m}/{name}-{version}{sequence}"
        let first = try export("--all", "--name", template)
        let names = [
            "2024/05/picture0-current.png", "2024/06/picture1-current.png",
            "undated/picture2-current.png",
        ]
        #expect(first == Dictionary(uniqueKeysWithValues: names.map { ($0, "new") }))
        #expect(try files() == names)
        #expect(try export("--all", "--name", template).values.allSatisfy { $0 == "unchanged" })
        // With `--prune`, a corrected date moves the file, and the folder that becomes empty is removed.
        _ = try bench.json("set", ids[0], "--date", "2023-01-01")
        let moved = try export("--all", "--name", template, "--prune")
        #expect(moved["2023/01/picture0-current.png"] == "metadata", "\(moved)")
        #expect(try folders() == ["2023", "2024", "undated"])
        #expect(try files().count == 3)
        #expect(!FileManager.default.fileExists(atPath: folder + "/2024/05"))
        // Another template renames all files.
        let flat = try export("--all", "--name", "{id}_{date:%y%m%d}", "--prune")
        #expect(flat.values.allSatisfy { $0 == "settings" })
        #expect(try folders().isEmpty)
        #expect(try files().count == 3)
        #expect(flat["\(ids[0].prefix(8).lowercased())_230101.png"] == "settings", "\(flat)")
    }

    @Test(
        "a taken name gets a number if the template allows one, otherwise it is an error")
    func sequence() throws {
        let numbered = try export("--all", "--name", "all{sequence}")
        #expect(numbered.keys.sorted() == ["all-1.png", "all-2.png", "all.png"])
        #expect(
            try export("--all", "--name", "all{sequence}").values.allSatisfy { $0 == "unchanged" })
        let result = try bench.run(
            "export", "--all", "--to", folder, "--name", "one", "--prune", "--json")
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.output.contains("{sequence}"), "\(result.output)")
        let paths = try result.objects.compactMap { $0["path"] as? String }
        #expect(paths == [folder + "/one.png"])
        #expect(try files() == ["all-1.png", "all-2.png", "one.png"])
    }

    @Test("if a rename fails, the old name stays until the rename succeeds")
    func failedMove() throws {
        #expect(try export(ids[0], "--name", "{name}") == ["picture0.png": "new"])
        // Exceeds the system's path length limit.
        let deep = String(repeating: String(repeating: "d", count: 250) + "/", count: 15) + "{name}"
        let failed = try bench.run(
            "export", ids[0], "--to", folder + "/" + String(repeating: "../out/", count: 60),
            "--name", deep)
        #expect(failed.status != 0)
        #expect(try files() == ["picture0.png"])
        #expect(try export(ids[1], "--name", "{name}") == ["picture1.png": "new"])
        #expect(try files() == ["picture0.png", "picture1.png"])
        // The photo still owns its old name.
        #expect(try export(ids[0], "--name", "{name}").keys.sorted() == ["picture0.png"])
        #expect(try files() == ["picture0.png", "picture1.png"])
        #expect(try export(ids[0], "--name", "new-{name}") == ["new-picture0.png": "settings"])
        #expect(try files() == ["new-picture0.png", "picture0.png", "picture1.png"])
    }

    @Test("an asset's own files do not conflict when it exports more or fewer of them")
    func otherFiles() throws {
        let pair = bench.folder.file("pair")
        try FileManager.default.createDirectory(atPath: pair, withIntermediateDirectories: true)
        try TestPicture.gradient(seed: 9).encoded("jpeg").write(
            to: URL(fileURLWithPath: pair + "/x.jpg"))
        try Data(
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/></x:xmpmeta>"
                .utf8
        ).write(to: URL(fileURLWithPath: pair + "/x.xmp"))
        let id = try #require(try bench.json("import", pair).first?["id"] as? String)
        for template in ["{name}-o", "{name}-o{sequence}"] {
            for companions in [[], ["--with-companions"], [], ["--with-companions"]] {
                let result = try bench.run(
                    ["export", id, "--version", "original", "--to", folder, "--name", template]
                        + companions)
                #expect(result.status == 0, "\(result.errors)")
                #expect(try files() == (companions.isEmpty ? ["x-o.jpg"] : ["x-o.jpg", "x-o.xmp"]))
            }
        }
    }

    @Test("a template slash separates components even next to a combining character")
    func combining() throws {
        let strange = try bench.importPicture(seed: 8, name: "bar\u{600}.png")
        _ = try bench.json("set", strange, "--date", "2022-01-01")
        let made = try export(strange, "--name", "{name}/\u{301}{date:%Y}{sequence}")
        #expect(made == ["bar\u{600}/\u{301}2022.png": "new"], "\(made)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    @Test("several versions of a photo are exported under their version names")
    func versions() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=1")
        _ = try bench.json("version", "save", ids[0], "--name", "warm / old")
        let template = "{name}-{version}"
        #expect(try export(ids[0], "--name", template) == ["picture0-warm _ old.png": "new"])
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.25")
        #expect(try export(ids[0], "--name", template) == ["picture0-current.png": "new"])
        #expect(try files().count == 2)
        _ = try bench.json("version", "use", ids[0], "--name", "warm / old")
        #expect(try export(ids[0], "--name", template) == ["picture0-warm _ old.png": "unchanged"])
        #expect(
            try export(ids[0], "--name", template, "--version", "unadjusted") == [
                "picture0-unadjusted.png": "new"
            ])
        _ = try export(ids[0], "--name", template, "--prune")
        #expect(try files() == ["picture0-warm _ old.png"])
    }

    @Test(
        "a template that leads outside or has unknown fields is rejected before any write"
    )
    func badTemplates() throws {
        for (template, words) in [
            ("../{name}", "outside the output folder"),
            ("a/../../{name}", "outside the output folder"),
            ("/tmp/{name}", "empty name"), ("{date:%Y}//{name}", "empty name"),
            ("", "empty name"), ("{name}/", "empty name"),
            ("./{name}", "outside the output folder"),
            ("{nam}", "unknown field {nam}"), ("{name", "unclosed"), ("name}", "unmatched"),
            ("{date:%Q}", "%Q"), ("{date:%}", "%"), ("{sequence}{name}", "last"),
            ("{date:../%Y}/{name}", "outside the output folder"),
            (String(repeating: "a/", count: 20) + "b", "folders"),
        ] {
            let (status, text) = try refused("--name", template)
            #expect(status == 64, "\(template): \(status)")
            #expect(text.contains(words), "\(template): \(text)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
        // Field values cannot lead out of the folder.
        let strange = try bench.importPicture(seed: 7, name: "...png")
        let names = try export(strange, "--name", "{name}/{name}{sequence}").keys.sorted()
        #expect(names == ["_./_..png"])
        #expect(FileManager.default.fileExists(atPath: folder + "/_./_..png"))
    }

    @Test(
        "links and files in place of template folders are not followed; other photos are exported"
    )
    func links() throws {
        let outside = bench.folder.file("outside")
        for path in [outside, folder] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        #expect(symlink(outside, folder + "/2024") == 0)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/undated"))
        let template = ["--name", "{date:%Y}/{name}"]
        _ = try bench.json("set", ids[1], "--date", "2022-01-01")
        let result = try bench.run(["export", "--all", "--to", folder, "--json"] + template)
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.output.contains("2024"), "\(result.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        #expect(try String(contentsOfFile: folder + "/undated", encoding: .utf8) == "mine")
        #expect(FileManager.default.fileExists(atPath: folder + "/2022/picture1.png"))
        // A record that names a file behind a symbolic link does not lead out of it either.
        let record = folder + "/.edithost-export.jsonl"
        let text = try String(contentsOfFile: record, encoding: .utf8)
        try FileManager.default.copyItem(
            atPath: folder + "/2022/picture1.png", toPath: outside + "/picture1.png")
        try text.replacingOccurrences(of: "2022/", with: "2024/")
            .write(toFile: record, atomically: true, encoding: .utf8)
        let pruned = try bench.run("export", ids[0], "--to", folder, "--prune")
        #expect(pruned.errors.contains("2024/picture1.png"), "\(pruned.errors)")
        #expect(FileManager.default.fileExists(atPath: outside + "/picture1.png"))
        for bad in ["2024/../../x", "/x", "2024//x", "2024/.edithost-x"] {
            try text.replacingOccurrences(of: "2022/picture1.png", with: bad)
                .write(toFile: record, atomically: true, encoding: .utf8)
            #expect(try refused().status == 65, "\(bad)")
        }
    }

    private func write(_ json: String, _ name: String = "web.json") throws -> String {
        try bench.folder.write(Data(json.utf8), to: name)
    }

    @Test("a preset sets export options, and command-line options override it")
    func preset() throws {
        let path = try write(
            #"""
            {"exportPreset": 1, "format": "jpeg", "quality": 60, "size": "20x20", "sharpen": "high",
             "profile": "srgb", "metadata": "copyright", "location": false, "name": "{name}-web{sequence}",
             "videoCodec": "h264", "crf": 30}
            """#)
        let first = try export(ids[0], "--preset", path)
        #expect(first == ["picture0-web.jpg": "new"])
        // Same result as with the options.
        let other = bench.folder.file("other")
        _ = try bench.json(
            "export", ids[0], "--to", other, "--format", "jpeg", "--quality", "60", "--size",
            "20x20", "--sharpen", "high", "--profile", "srgb", "--metadata", "copyright",
            "--no-location")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: other + "/picture0.jpg"))
                == Data(contentsOf: URL(fileURLWithPath: folder + "/picture0-web.jpg")))
        let named = try export(ids[0], "--preset", path, "--quality", "90", "--name", "{name}")
        #expect(named == ["picture0.jpg": "settings"])
        // By name, from the preset folder.
        let presets = bench.folder.file("config") + "/edithost/export-presets"
        try FileManager.default.createDirectory(
            atPath: presets, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: presets + "/web.json")
        #expect(try export(ids[0], "--preset", "web") == ["picture0-web.jpg": "settings"])
    }

    @Test("an invalid preset or one of a newer version is rejected with the reason")
    func badPresets() throws {
        for (json, words) in [
            ("", "not valid JSON"), ("[1]", "it is not a JSON object"),
            ("{}", "exportPreset is missing"),
            (#"{"exportPreset": 2, "colours": 3}"#, "newer"), (#"{"exportPreset": 0}"#, "version"),
            (#"{"exportPreset": 1, "colours": 3}"#, "colours"),
            (#"{"exportPreset": 1, "format": "raw"}"#, "jpeg"),
            (#"{"exportPreset": 1, "format": 1}"#, "format has a value of the wrong type"),
            (#"{"exportPreset": 1, "quality": 101}"#, "1 to 100"),
            (#"{"exportPreset": 1, "quality": "high"}"#, "quality has a value of the wrong type"),
            (#"{"exportPreset": 1, "size": "0x5"}"#, "WIDTHxHEIGHT"),
            (#"{"exportPreset": 1, "sharpen": "low"}"#, "size"),
            (#"{"exportPreset": 1, "profile": "rgb"}"#, "srgb"),
            (#"{"exportPreset": 1, "name": "../{name}"}"#, "outside the output folder"),
            (#"{"exportPreset": 1, "crf": 99}"#, "51"),
            (#"{"exportPreset": 1, "videoCodec": "copy", "crf": 9}"#, "videoCodec copy"),
        ] {
            let (status, text) = try refused("--preset", write(json))
            #expect(status == 65, "\(json): \(status) \(text)")
            #expect(text.contains(words) && text.contains("web.json"), "\(json): \(text)")
        }
        let pipe = bench.folder.file("pipe.json")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(try refused("--preset", pipe).status == 65)
        #expect(try refused("--preset", pipe + ".json").status == 66)
        #expect(try refused("--preset", "nothing").status == 66)
        #expect(try refused("--sharpen", "low").status == 64)
        let path = try write(#"{"exportPreset": 1, "format": "png"}"#)
        #expect(try refused("--preset", path, "--version", "original").status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("downscaled pictures are sharpened like vips sharpen; others are not")
    func sharpening() throws {
        // A white square on grey.
        let picture = TestPicture(
            width: 80, height: 80, bands: 3,
            samples: (0..<80).flatMap { y in
                (0..<80).flatMap { x -> [UInt8] in
                    let isInside = (20..<60).contains(x) && (20..<60).contains(y)
                    return [UInt8](repeating: isInside ? 200 : 100, count: 3)
                }
            })
        let file = try bench.folder.write(try picture.encoded(), to: "square.png")
        let id = try #require(try bench.json("import", file).first?["id"] as? String)
        func exported(_ arguments: String...) throws -> TestPicture {
            let to = bench.folder.file(UUID().uuidString)
            let lines = try bench.json(
                ["export", id, "--to", to, "--format", "png"] + arguments)
            let path = try #require(lines.first?["path"] as? String)
            return try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
        }
        let plain = try exported("--size", "40x40")
        let small = try bench.folder.write(try plain.encoded(), to: "small.png")
        var strengths: [UInt8] = []
        for (amount, slope) in [("low", "1.5"), ("standard", "3"), ("high", "5")] {
            let sharp = try exported("--size", "40x40", "--sharpen", amount)
            let made = bench.folder.file("sharp.png")
            let vips = try runProgram(
                "/usr/bin/env", ["vips", "sharpen", small, made, "--sigma", "0.5", "--m2", slope])
            #expect(vips.status == 0, "\(vips.errors)")
            #expect(
                try sharp == TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: made))))
            // Flat areas are unchanged; the bright side of an edge becomes brighter.
            func sample(_ x: Int, _ y: Int) -> UInt8 { sharp.samples[(y * 40 + x) * 3] }
            #expect(sample(2, 2) == 100 && sample(20, 20) == 200)
            strengths.append((0..<40).map { sample($0, 20) }.max() ?? 0)
        }
        #expect(strengths[0] > 200 && strengths == strengths.sorted(), "\(strengths)")
        // A picture that is not downscaled is not sharpened.
        #expect(try exported("--size", "80x80", "--sharpen", "high") == picture)
    }
}
