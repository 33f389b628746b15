// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// New files get free names in the opened folder.
@Suite("new files")
struct NewFileTests {
    private let root: TemporaryFolder

    init() throws { root = try TemporaryFolder() }

    private func named(_ names: String..., in folders: [String] = []) throws -> [NewFile.Named] {
        try names.map { name in
            NewFile.Named(
                source: OutgoingFile(try .memory("test", holding: Data(name.utf8))),
                name: NumberedFilename(SafeFilename(name), in: folders))
        }
    }

    private func names(_ names: String..., number: Int = 0) throws -> [String] {
        let folder = try NewFile.folder(root.path)
        let files = try names.flatMap { try named($0) }
        return NewFile.names(of: files, number: number, in: folder).map(\.text)
    }

    @Test("files of one asset get distinct names in any folder")
    func apart() throws {
        #expect(try names("a.xmp", "A.XMP", "b") == ["a.xmp", "A-1.XMP", "b"])
        #expect(try names("a", "a", "a", number: 4) == ["a-4", "a-5", "a-6"])
        let accents = try names("\u{E9}.xmp", "e\u{301}.xmp")
        #expect(
            accents.map { Array($0.utf8) }
                == ["\u{E9}.xmp", "e\u{301}-1.xmp"].map { Array($0.utf8) })
        let escaped = "\u{10FEC3}\u{10FEA9}.xmp"
        #expect(try names("\u{E9}.xmp", escaped) == ["\u{E9}.xmp", "\u{E9}-1.xmp"])
        // The next numbered name may be that of another file.
        #expect(try names("a", "a", "a-1", "a-1") == ["a", "a-1", "a-1-1", "a-1-2"])
        let many = Array(repeating: "a", count: 3000) + (1...3000).map { "a-\($0)" }
        let folder = try NewFile.folder(root.path)
        let given = NewFile.names(of: try many.flatMap { try named($0) }, number: 0, in: folder)
        #expect(Set(given.map(\.folded)).count == many.count)
    }

    @Test("the search for a free name ends even if each one is taken at the last moment")
    func bounded() throws {
        let folder = try NewFile.folder(root.path)
        let files = try named("a.txt")
        var parts = try NewFile.prepare(files, in: folder)
        defer { NewFile.remove(parts) }
        var attempts = 0
        let error = #expect(throws: HostError.self) {
            try NewFile.name(&parts, of: files, in: folder) { _, names in
                attempts += 1
                for name in names { _ = try folder.makeFile(name.text, mode: 0o600) }
            }
        }
        #expect(error?.code == .fileFailed && error?.message.contains("no free name") == true)
        #expect((2...1000).contains(attempts))
        // These files belong to the other writer and are empty.
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path)
        where !name.hasPrefix(".") {
            #expect(try Data(contentsOf: URL(fileURLWithPath: root.file(name))).isEmpty)
        }
    }

    @Test("a file written in pieces replaces another one only when it is complete")
    func pieces() async throws {
        let path = try root.write(Data("old".utf8), to: "a")
        func content() -> Data? { FileManager.default.contents(atPath: path) }
        await #expect(throws: CancellationError.self) {
            try await NewFile.replace(path) { file in
                try file.append(Data("new".utf8))
                throw CancellationError()
            }
        }
        #expect(content() == Data("old".utf8))
        try await NewFile.replace(path) { file in
            for word in ["new", "er"] { try file.append(Data(word.utf8)) }
            #expect(content() == Data("old".utf8))
        }
        #expect(content() == Data("newer".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["a"])
    }

    @Test("a folder replaced by a link midway gets nothing written to the link's target")
    func exchanged() throws {
        let (out, moved, victim) = (root.file("out"), root.file("moved"), root.file("victim"))
        for path in [out, victim] { try FileManager.default.createFolder(path) }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: victim + "/b.txt"))
        let folder = try NewFile.folder(out)
        let files = try named("a.txt")
        var parts = try NewFile.prepare(files, in: folder)
        try #require(rename(out, moved) == 0 && symlink(victim, out) == 0)
        let names = try NewFile.name(&parts, of: files, in: folder) { _, _ in }
        NewFile.remove(parts)
        #expect(names == [FileName("a.txt")])
        try NewFile.make(.init(folder: folder, name: "c.txt"), "c", with: files[0].source)
        try NewFile.replace(.init(folder: folder, name: "b.txt"), "b", with: files[0].source.bytes)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: moved).sorted() == [
                "a.txt", "b.txt", "c.txt",
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == ["b.txt"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim + "/b.txt")) == Data("mine".utf8))
    }

    @Test(
        "bytes that become available gradually have no name until they are complete",
        arguments: [true, false])
    func gradually(isSupported: Bool) async throws {
        let folder = try NewFile.folder(root.path)
        let place = Folder.Place(folder: folder, name: "a.txt")
        try root.write(Data("old".utf8), to: "a.txt")
        func replace(failing: Bool) async throws {
            let nameless = isSupported ? folder.makeUnnamedFile() : nil
            try await NewFile.replace(place, "a.txt", using: nameless) { file in
                try file.append(Data("ne".utf8))
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: root.path) == ["a.txt"])
                if failing { throw CancellationError() }
                try file.append(Data("w".utf8))
            }
        }
        await #expect(throws: CancellationError.self) { try await replace(failing: true) }
        let path = root.file("a.txt")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
        try await replace(failing: false)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("new".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["a.txt"])
    }

    @Test("a file that is replaced by another program after its comparison is put back")
    func putBack() throws {
        let folder = try NewFile.folder(root.path)
        let place = Folder.Place(folder: folder, name: "a.xmp")
        try root.write(Data("theirs".utf8), to: "a.xmp")
        // A file that is unexpected from the start is not exchanged at all.
        for unexpected in 1...2 {
            let file = try UnnamedFile(in: folder) { _ in }
            var calls = 0
            let isReplaced = try file.replace(place) { _ in
                calls += 1
                return calls < unexpected
            }
            #expect(!isReplaced && calls == unexpected)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["a.xmp"])
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: root.file("a.xmp")))
                    == Data("theirs".utf8))
        }
    }

    /// The owner may read and write, and one user may read; the group and others may not.
    private static let list: [UInt8] =
        [2, 0, 0, 0]
        + [(1, 6, 255), (2, 4, 1), (4, 0, 255), (16, 4, 255), (32, 0, 255)]
        .flatMap { tag, permissions, user in
            [tag, 0, permissions, 0] + (user == 1 ? [1, 0, 0, 0] : [255, 255, 255, 255])
        }

    /// Whether files in the temporary folder can have access control lists and tags.
    private static let hasAttributes =
        (try? OpenFile.unnamed()).map {
            $0.setAttribute(OpenFile.accessListName, to: list)
                && $0.setAttribute("user.xdg.tags", to: [1])
        } ?? false

    /// Writes a file to `a.xmp` and opens it.
    private func written(replacing old: FileSnapshot?, beside original: OpenFile) throws -> OpenFile
    {
        let place = Folder.Place(folder: try NewFile.folder(root.path), name: "a.xmp")
        let bytes = try OpenFile.memory("test", holding: Data("new".utf8))
        #expect(
            try NewFile.write(place, "a.xmp", with: bytes, replacing: old, beside: original))
        let file = try OpenFile(root.file("a.xmp"), O_RDONLY)
        #expect(try file.read(count: 10, at: 0) == Data("new".utf8))
        return file
    }

    private func snapshot(of name: String) throws -> FileSnapshot {
        let place = Folder.Place(folder: try NewFile.folder(root.path), name: name)
        return try #require(try FileSnapshot(of: place, limit: 100, path: name))
    }

    @Test(
        "a replaced file keeps its tags and its access control list", .enabled(if: hasAttributes))
    func attributes() throws {
        let old = try OpenFile(root.write(Data("old".utf8), to: "a.xmp"), O_RDWR)
        #expect(old.setAttribute("user.xdg.tags", to: Array("pier".utf8)))
        #expect(old.setAttribute(OpenFile.accessListName, to: Self.list))
        let new = try written(replacing: snapshot(of: "a.xmp"), beside: old)
        #expect(new.attribute("user.xdg.tags") == Array("pier".utf8))
        #expect(new.attribute(OpenFile.accessListName) == Self.list)
        #expect(try new.systemStatus().st_mode & 0o777 == 0o640)
    }

    @Test(
        "a replaced file gets no access control list from its folder", .enabled(if: hasAttributes))
    func inheritedList() throws {
        let old = try OpenFile(root.write(Data("old".utf8), to: "a.xmp"), O_RDWR)
        try #require(fchmod(old.descriptor, 0o640) == 0)
        let folder = try OpenFile(root.path, O_RDONLY | O_DIRECTORY)
        try #require(folder.setAttribute("system.posix_acl_default", to: Self.list))
        let new = try written(replacing: snapshot(of: "a.xmp"), beside: old)
        #expect(new.attribute(OpenFile.accessListName) == nil)
        #expect(try new.systemStatus().st_mode & 0o777 == 0o640)
    }

    @Test(
        "a new file beside one with an access control list is closed to its group",
        .enabled(if: hasAttributes))
    func originalWithList() throws {
        let original = try OpenFile(root.write(Data("picture".utf8), to: "a.png"), O_RDWR)
        #expect(original.setAttribute(OpenFile.accessListName, to: Self.list))
        let new = try written(replacing: nil, beside: original)
        #expect(try new.systemStatus().st_mode & 0o777 == 0o600)
    }

    @Test("a folder that was opened for writing can be flushed to disk")
    func flushed() throws {
        try NewFile.folder(root.path).synchronize()
    }

    @Test("new and replaced files never follow a link below the folder")
    func links() throws {
        let (out, victim) = (root.file("out"), root.file("victim"))
        for path in [out, victim] { try FileManager.default.createFolder(path) }
        try #require(symlink(victim, out + "/s") == 0)
        let folder = try NewFile.folder(out)
        let files = try named("a.txt", in: ["s"])
        let error = #expect(throws: HostError.self) { try NewFile.write(files, in: folder) }
        #expect(error?.message.contains("a symbolic link") == true)
        let parts = try NewFile.prepare(files, in: folder)
        defer { NewFile.remove(parts) }
        for replaces in [false, true] {
            #expect(throws: HostError.self) {
                try NewFile.name(parts[0], FileName("s/a.txt"), in: folder, replaces: replaces)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == [])
    }
}

extension FileManager {
    fileprivate func createFolder(_ path: String) throws {
        try createDirectory(atPath: path, withIntermediateDirectories: true)
    }
}
