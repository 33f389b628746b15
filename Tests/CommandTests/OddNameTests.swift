// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Files whose names are not UTF-8, as in old archives.
@Suite("file names that are not UTF-8")
struct OddNameTests {
    /// `café` in Latin-1, a name of two invalid bytes, a name truncated within a character, and a name with the
    /// private-use character that represents a byte.
    private static let names: [[UInt8]] = [
        Array("caf".utf8) + [0xE9] + Array(".png".utf8), [0xFF, 0x80] + Array(".png".utf8),
        Array("a".utf8) + [0xE2, 0x82] + Array(".png".utf8), Array("\u{10FEE9}.png".utf8),
    ]

    /// The file names in a folder.
    private static func names(in folder: String) -> Set<[UInt8]> {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: Set<[UInt8]> = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.first != UInt8(ascii: ".") { names.insert(name) }
        }
        return names
    }

    /// Writes different pictures with these names into a folder that also has such a name.
    private static func fill(_ bench: Workbench) throws -> [UInt8] {
        let folder = Array(bench.folder.file("card").utf8) + [0xE4]
        try #require(mkdir(folder.map { CChar(bitPattern: $0) } + [0], 0o755) == 0)
        for (place, name) in names.enumerated() {
            let bytes = try TestPicture.gradient(seed: place).encoded()
            let path = (folder + [0x2F] + name).map { CChar(bitPattern: $0) } + [0]
            let number = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
            try #require(number >= 0)
            defer { close(number) }
            try FileHandle(fileDescriptor: number).write(contentsOf: bytes)
        }
        return folder
    }

    @Test("a name starting with a combining accent is separated from the preceding slash")
    func accent() throws {
        let bench = try Workbench()
        let name = "\u{0301}tude.png"
        _ = try bench.folder.write(TestPicture.gradient(seed: 1).encoded(), to: "card.png")
        let folder = bench.folder.file("card")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try #require(rename(bench.folder.file("card.png"), folder + "/" + name) == 0)
        let imported = try bench.json("import", folder)
        #expect(imported.first?["status"] as? String == "imported")
        let id = try #require(imported.first?["id"] as? String)
        let shown = try bench.json("show", id)
        #expect(shown.first?["filename"] as? String == name)
        let out = bench.folder.file("out")
        _ = try bench.json("export", id, "--to", out)
        #expect(Self.names(in: out) == [Array(name.utf8)])
    }

    /// Runs a command with a word that is not UTF-8, which the shell's `printf` produces.
    private static func run(
        _ bench: Workbench, _ arguments: String, word: [UInt8]
    ) throws -> ProcessResult {
        let octal = word.map { "\\" + String(format: "%03o", $0) }.joined()
        return try runProgram(
            "/bin/bash",
            ["-c", "exec \"$0\" \(arguments) \"$(printf '\(octal)')\" --json", Workbench.command],
            environment: bench.environment())
    }

    @Test("the sidecars of such files are written, and their rows have the bytes of the path")
    func sidecars() throws {
        let bench = try Workbench()
        let folder = try Self.fill(bench)
        _ = try Self.run(bench, "import --reference", word: folder)
        let ids = try bench.json("list").compactMap { $0["id"] as? String }
        for id in ids { _ = try bench.run("set", id, "--rating", "3") }
        let rows = try bench.json("metadata", "write", "--all")
        #expect(rows.allSatisfy { $0["status"] as? String == "written" }, "\(rows)")
        let paths = try rows.map { row in
            let text = try #require(row["pathBytes"] as? String)
            return [UInt8](try #require(Data(base64Encoded: text)))
        }
        let expected = Self.names.map { folder + [0x2F] + $0 + Array(".xmp".utf8) }
        #expect(Set(paths) == Set(expected))
    }

    @Test("such files import, print escaped and export under the same bytes")
    func imported() throws {
        let bench = try Workbench()
        let folder = try Self.fill(bench)
        let result = try Self.run(bench, "import", word: folder)
        #expect(result.status == 0, "\(result.errors)")
        let lines = try result.objects
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0["status"] as? String == "imported" })
        let told = try lines.map { line in
            let text = try #require(line["pathBytes"] as? String)
            return try #require(Data(base64Encoded: text))
        }
        #expect(Set(told.map { Array($0) }) == Set(Self.names.map { folder + [0x2F] + $0 }))
        let texts = lines.compactMap { $0["path"] as? String }
        #expect(texts.contains { $0.hasSuffix("card\\xE4/caf\\xE9.png") }, "\(texts)")

        let listed = try bench.json("list")
        let kept = listed.compactMap {
            ($0["filenameBytes"] as? String).flatMap { Data(base64Encoded: $0) }
        }
        #expect(Set(kept.map { Array($0) }) == Set(Self.names))
        let target = bench.folder.file("out")
        #expect(try bench.run("export", "--all", "--to", target).status == 0)
        #expect(Self.names(in: target) == Set(Self.names))
    }

    @Test("such files can be moved and referenced")
    func moved() throws {
        for method in ["--move", "--reference"] {
            let bench = try Workbench()
            let folder = try Self.fill(bench)
            let result = try Self.run(bench, "import \(method)", word: folder)
            #expect(result.status == 0, "\(method): \(result.errors)")
            #expect(try bench.run("check").status == 0, "\(method)")
            let target = bench.folder.file("out")
            #expect(try bench.run("export", "--all", "--to", target).status == 0, "\(method)")
            #expect(Self.names(in: target) == Set(Self.names), "\(method)")
        }
    }

    @Test("apply renders such files to the same names")
    func applied() throws {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        try bench.assumeReproducing()
        let card = try Self.fill(bench)
        let out = bench.folder.file("out")
        let result = try Self.run(bench, "apply --with sepia --to \(out)", word: card)
        #expect(result.status == 0, "\(result.errors)")
        #expect(Self.names(in: out) == Set(Self.names))
    }

    @Test("other commands reject such a name with a message")
    func refused() throws {
        let bench = try Workbench()
        _ = try bench.run("import", try bench.picture())
        let name = Array(bench.folder.file("out").utf8) + [0xE9]
        let card = try Self.fill(bench)
        for arguments in ["import --", "--library \(bench.folder.file("B.editlibrary")) import"] {
            let result = try Self.run(bench, arguments, word: card)
            // After `--`, `--json` is a file name, so one of five files is missing.
            #expect(result.status == (arguments == "import --" ? 1 : 0), "\(result.errors)")
            #expect(!result.errors.contains("is not valid UTF-8"), "\(result.errors)")
        }
        let apply = "apply --with sepia --to"
        for arguments in [
            "export --all --to", "import --library", "list --library", "\(apply) out --name", apply,
        ] {
            let result = try Self.run(bench, arguments, word: name)
            #expect(result.status == 64, "\(arguments): \(result.errors)")
            #expect(result.errors.contains("out\\xE9 is not valid UTF-8"), "\(result.errors)")
        }
    }
}
