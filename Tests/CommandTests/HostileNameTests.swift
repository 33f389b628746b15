// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Hostile names of files and albums in a library.
@Suite("hostile names")
struct HostileNameTests {
    /// Names, each with the exported file name.
    private static let names: [(String, String)] = [
        ("../../x", "_._.._x"), ("/etc/passwd", "_etc_passwd.png"), ("a/b.png", "a_b.png"),
        ("..", "_..png"), (".", "_.png"), ("", "_.png"), (".bashrc", "_bashrc.png"),
        (".profile.png", "_profile.png"), ("a\nb.png", "a_b.png"),
        ("\u{202E}gnp.exe.png", "_gnp.exe.png"), ("a\u{9B}31mb.png", "a_31mb.png"),
        ("x.\u{2066}png", "x._png"), ("x.png/../../y", "x.png_.._.._y"),
        ("\u{200F}\u{2028}\u{061C}.png", "___.png"), ("-rf", "-rf.png"),
        ("trailing.", "trailing..png"),
    ]

    @Test("a stored file name exports as one visible path component")
    func export() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        for (index, (name, expected)) in Self.names.enumerated() {
            try bench.rename(ids[0], name)
            let out = "deep/er/out\(index)"
            try FileManager.default.createDirectory(
                atPath: bench.folder.file("deep/er"), withIntermediateDirectories: true)
            let before = try outside(bench)
            let result = try bench.run(
                "export", ids[0], "--version", "original", "--to", bench.folder.file(out))
            #expect(result.status == 0, "\(result.errors)")
            #expect(try outside(bench) == before)
            #expect(try ExportedFiles.names(in: bench.folder.file(out)) == [expected])
        }
    }

    /// The files outside the library and the export folder.
    private func outside(_ bench: Workbench) throws -> [String: Data] {
        try bench.files(in: ".").filter {
            !$0.key.hasPrefix("Photos.editlibrary") && !$0.key.hasPrefix("deep/er/out")
        }
    }

    @Test(
        "a taken 255-byte name exports shortened at a character boundary, in any format",
        arguments: [
            "a", "\u{E9}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "e\u{301}\u{302}",
        ])
    func long(character: String) throws {
        let bench = try Workbench()
        let room = 255 - ".png".utf8.count
        var stem = String(repeating: character, count: room / character.utf8.count)
        stem += String(repeating: "x", count: room - stem.utf8.count)
        let id = try bench.importPicture(name: "\(stem).png")
        let out = bench.folder.file("out")
        for (arguments, ending, count) in [
            ([], "png", 12), (["--format", "jpeg"], "jpg", 2), (["--format", "webp"], "webp", 2),
        ] {
            for number in 0..<count {
                let result = try bench.run(["export", id, "--to", out, "--json"] + arguments)
                #expect(result.status == 0, "\(result.errors)")
                try ExportedFiles.forget(out)
                let path = try #require(try result.objects.first?["path"] as? String)
                let name = String(path.dropFirst(out.count + 1))
                #expect(name.utf8.count <= 255 && name.hasSuffix(".\(ending)"))
                let end = number == 0 ? ".\(ending)" : "-\(number).\(ending)"
                #expect(name.hasSuffix(end))
                #expect(stem.hasPrefix(String(name.dropLast(end.count))))
            }
        }
        #expect(try bench.files(in: "out").count == 16)
    }

    /// Characters that must not reach a terminal, and that JSON output need not contain.
    private static let hidden = [
        "\u{7F}", "\u{80}", "\u{9B}31m", "\u{9D}0;title\u{9C}", "\u{1B}]0;x\u{7}", "\u{202E}",
        "\u{2066}",
        "\u{2028}", "\u{2029}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{3164}", "\u{E0041}",
        "a\u{200D}b",
        "a\u{FE0F}",
    ]

    private func expectHarmless(_ text: String, _ hidden: String) {
        let bad = hidden.unicodeScalars.filter { $0.value > 0x7E || $0.value < 0x20 }
        #expect(
            !bad.contains { text.unicodeScalars.contains($0) },
            "\(hidden.debugDescription): \(text)")
    }

    @Test(
        "controls, bidirectional overrides and invisible characters are escaped; JSON is exact"
    )
    func terminal() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let id = ids[0]
        let hidden = Self.hidden.joined(separator: "b")
        let name = "a\(hidden)z.png"
        try bench.rename(id, name)
        try bench.execute("UPDATE asset SET camera_make = ?, lens_model = ?", [name, name])
        for arguments in [
            ["list"], ["show", id], ["favorite", id], ["resources", id], ["history", id],
        ] {
            let result = try bench.run(arguments)
            #expect(result.status == 0)
            expectHarmless(result.output + result.errors, hidden)
        }
        let object = try bench.run(["show", id, "--json"])
        expectHarmless(object.output, hidden)
        #expect(try object.objects.first?["filename"] as? String == name)
        let error = try bench.run(["show", hidden])
        #expect(error.status != 0)
        expectHarmless(error.errors, hidden)
        let usage = try bench.run(["list", "--limit", hidden])
        #expect(usage.status == 64)
        expectHarmless(usage.errors, hidden)
        let bad = try bench.folder.write(Data("no picture".utf8), to: "photos/\(name)")
        let imported = try bench.run(["import", bad])
        expectHarmless(imported.output + imported.errors, hidden)
    }

    @Test("joined scripts, emoji and accents are printed unchanged")
    func harmless() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        for name in [
            "\u{646}\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}.png",
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}.png", "\u{2764}\u{FE0F}.png",
            "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}.png", "Z\u{FC}rich \u{6771}\u{4EAC}.png",
        ] {
            try bench.rename(ids[0], name)
            #expect(try bench.run("list").output.contains(name))
        }
    }
}
