// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import TestSupport
import Testing

@testable import RunnerHost

/// Archives of extensions, most of them hostile, with headers that are written byte by byte.
@Suite("archives of extensions")
struct ExtensionArchiveTests {
    /// A member of an archive.
    struct Member {
        var name: String
        var type: Character = "0"
        var content = Data()
        /// The size in the header, if it is not that of the content.
        var size: Int?
        var link = ""
        var prefix = ""
        var magic = "ustar\u{0}00"

        /// The header and the padded content.
        var bytes: Data {
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, _ offset: Int) {
                for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
            }
            put(name, 0)
            put("0000644", 100)
            let size = String(size ?? content.count, radix: 8)
            put(String(repeating: "0", count: 11 - size.count) + size, 124)
            put("00000000000", 136)
            put(String(type), 156)
            put(link, 157)
            put(magic, 257)
            put(prefix, 345)
            put("        ", 148)
            let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
            put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", 148)
            let padding = (512 - content.count % 512) % 512
            return Data(header) + content + Data(count: padding)
        }
    }

    private static let folder = "a.editingextension"

    private static var good: [Member] {
        [
            Member(name: "\(folder)/", type: "5"),
            Member(name: "\(folder)/manifest.json", content: Data("{}".utf8)),
            Member(name: "\(folder)/liba.so", content: Data(repeating: 7, count: 1025)),
        ]
    }

    /// Compresses bytes with the program gzip.
    private static func compress(_ bytes: Data, in folder: TemporaryFolder) throws -> OpenFile {
        let path = try folder.write(bytes, to: "archive")
        let packed = try runProgram("/usr/bin/env", ["gzip", "-nf", path])
        try #require(packed.status == 0, "\(packed.errors)")
        return try OpenFile.reading("\(path).gz")
    }

    private static func archive(
        _ members: [Member], in folder: TemporaryFolder, end: Data = Data(count: 1024)
    ) throws -> OpenFile {
        try compress(members.reduce(Data()) { $0 + $1.bytes } + end, in: folder)
    }

    /// Unpacks an archive into a new folder beside a victim, and requires that only that folder changes.
    private static func unpack(_ archive: OpenFile, in folder: TemporaryFolder) throws -> String {
        let target = folder.file("target")
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: false)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        defer {
            let after = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(after == before)
        }
        return try ExtensionArchive.unpack(archive, into: target)
    }

    @Test("an archive with the files of one folder is unpacked, in any order")
    func unpacks() throws {
        for members in [
            Self.good, [Self.good[0], Self.good[2], Self.good[1]], Array(Self.good[1...]),
        ] {
            let folder = try TemporaryFolder()
            let path = try Self.unpack(Self.archive(members, in: folder), in: folder)
            #expect(path == folder.file("target/\(Self.folder)"))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                    == ["liba.so", "manifest.json"])
            let library = try Data(contentsOf: URL(fileURLWithPath: "\(path)/liba.so"))
            #expect(library == Data(repeating: 7, count: 1025))
        }
    }

    @Test("an archive made by GNU tar is unpacked")
    func fromTar() throws {
        let folder = try TemporaryFolder()
        let source = folder.file("source/\(Self.folder)")
        try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
        try folder.write(Data("{}".utf8), to: "source/\(Self.folder)/manifest.json")
        let made = try runProgram(
            "/usr/bin/env",
            ["tar", "-C", folder.file("source"), "-czf", folder.file("a.tar.gz"), Self.folder])
        try #require(made.status == 0, "\(made.errors)")
        let path = try Self.unpack(OpenFile.reading(folder.file("a.tar.gz")), in: folder)
        #expect(FileManager.default.contents(atPath: "\(path)/manifest.json") == Data("{}".utf8))
    }

    /// Hostile or invalid lists of members, by what is wrong with them.
    private static let hostile: [String: [Member]] = [
        "an absolute name": [Member(name: "/tmp/a.editingextension/x")],
        "a name with ..": [Member(name: "../a.editingextension/x")],
        "a file named ..": [Member(name: "\(folder)/..")],
        "a file named .": [Member(name: "\(folder)/.")],
        "an empty file name": [Member(name: "\(folder)/")],
        "an absolute prefix": [Member(name: "x", prefix: "/\(folder)")],
        "a prefix with ..": [Member(name: "x", prefix: "../\(folder)")],
        "a nested folder": [Member(name: "\(folder)/b/", type: "5")],
        "a file in a nested folder": [Member(name: "\(folder)/b/c")],
        "a file without a folder": [Member(name: "manifest.json")],
        "a folder of another name": [Member(name: "a/x")],
        "a hidden folder": [Member(name: ".a.editingextension/x")],
        "two folders": [Member(name: "\(folder)/x"), Member(name: "b.editingextension/x")],
        "a file twice": [Member(name: "\(folder)/x"), Member(name: "\(folder)/x")],
        "a folder twice": [
            Member(name: "\(folder)/", type: "5"), Member(name: "\(folder)/", type: "5"),
        ],
        "a folder with a size": [Member(name: "\(folder)/", type: "5", size: 512)],
        "a hard link": [Member(name: "\(folder)/x", type: "1", link: "/etc/passwd")],
        "a symbolic link": [Member(name: "\(folder)/x", type: "2", link: "/etc")],
        "a folder that is a symbolic link": [Member(name: folder, type: "2", link: "/tmp")],
        "a character device": [Member(name: "\(folder)/x", type: "3")],
        "a block device": [Member(name: "\(folder)/x", type: "4")],
        "a pipe": [Member(name: "\(folder)/x", type: "6")],
        "a POSIX extended header": [
            Member(name: "x", type: "x", content: Data("20 path=/etc/passwd\n".utf8)),
            Member(name: "\(folder)/x"),
        ],
        "a global extended header": [Member(name: "x", type: "g"), Member(name: "\(folder)/x")],
        "a long name of GNU tar": [Member(name: "x", type: "L", content: Data("/etc/x".utf8))],
        "a sparse file of GNU tar": [Member(name: "\(folder)/x", type: "S")],
        "an unknown format": [Member(name: "\(folder)/x", magic: "unknown!")],
        "a control character": [Member(name: "\(folder)/a\u{1B}b")],
        "a direction override": [Member(name: "\(folder)/a\u{202E}b")],
        "a file of more than 1 GiB": [Member(name: "\(folder)/x", size: 1 << 30 + 1)],
        "a file larger than the archive": [Member(name: "\(folder)/x", size: 4096)],
        "no file": [],
    ]

    @Test("hostile archives are rejected", arguments: hostile.keys.sorted())
    func rejects(kind: String) throws {
        let folder = try TemporaryFolder()
        let members = try #require(Self.hostile[kind])
        let archive = try Self.archive(members, in: folder)
        let error = #expect(throws: HostError.self) { try Self.unpack(archive, in: folder) }
        #expect(error?.code == .unusableExtension, "\(error?.message ?? "")")
    }

    @Test("the number of files is limited")
    func count() throws {
        func members(_ count: Int) -> [Member] {
            (0..<count).map { Member(name: "\(Self.folder)/\($0)") }
        }
        let (small, large) = (try TemporaryFolder(), try TemporaryFolder())
        let maximum = ExtensionSizeLimits.archivedFiles
        #expect(throws: Never.self) {
            try Self.unpack(Self.archive(members(maximum), in: small), in: small)
        }
        let error = #expect(throws: HostError.self) {
            try Self.unpack(Self.archive(members(maximum + 1), in: large), in: large)
        }
        #expect(error?.message.contains("more than \(maximum) files") == true)
    }

    @Test("the total size is limited")
    func size() throws {
        let total = Self.good.reduce(0) { $0 + $1.content.count }
        for (limit, fits) in [(total, true), (total - 1, false)] {
            let folder = try TemporaryFolder()
            let archive = try Self.archive(Self.good, in: folder)
            let target = folder.file("target")
            try FileManager.default.createDirectory(
                atPath: target, withIntermediateDirectories: false)
            let result = Result {
                try ExtensionArchive.unpack(archive, into: target, limit: limit)
            }
            #expect(((try? result.get()) != nil) == fits, "\(limit)")
        }
    }

    @Test("damaged, truncated and uncompressed archives are rejected")
    func damage() throws {
        let folder = try TemporaryFolder()
        let archive = try Self.archive(Self.good, in: folder)
        let whole = try archive.read(count: 1 << 20)
        var wrongSum = whole
        wrongSum[wrongSum.count - 8] ^= 1
        let tar = Self.good.reduce(Data()) { $0 + $1.bytes }
        var wrongHeader = tar
        wrongHeader[0] ^= 1
        let others = [
            whole.dropLast(9), whole.prefix(whole.count / 2), whole.prefix(10), Data(), wrongSum,
            tar + Data(count: 1024),
        ]
        let compressed = [tar, tar.dropLast(512), wrongHeader + Data(count: 1024)]
        for (index, bytes) in (others + compressed).enumerated() {
            let inner = try TemporaryFolder()
            let file =
                try index < others.count
                ? OpenFile.reading(inner.write(Data(bytes), to: "archive"))
                : Self.compress(Data(bytes), in: inner)
            let error = #expect(throws: HostError.self, "\(index)") {
                try Self.unpack(file, in: inner)
            }
            #expect(error?.code == .unusableExtension, "\(index): \(error?.message ?? "")")
        }
    }

    @Test("data after the end of an archive is rejected")
    func trailing() throws {
        let folder = try TemporaryFolder()
        let archive = try Self.archive(Self.good, in: folder, end: Data(count: 1024) + Data([1]))
        #expect(throws: HostError.self) { try Self.unpack(archive, in: folder) }
    }

    @Test("a file with a name of 255 bytes is not written to an archive")
    func longName() throws {
        #expect(
            TarHeader(
                path: "a/" + String(repeating: "b", count: 100), size: 0, isFolder: false,
                mode: 0o644
            ).block != nil)
        #expect(
            TarHeader(
                path: "a/" + String(repeating: "b", count: 255), size: 0, isFolder: false,
                mode: 0o644
            ).block == nil)
        let header = TarHeader(
            path: String(repeating: "a", count: 150) + "/" + String(repeating: "b", count: 100),
            size: 0o7777, isFolder: false, mode: 0o755)
        #expect(try TarHeader(#require(header.block)) == header)
    }
}
