// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests that only one copy of a library may write to a backup.
@Suite("backups of copied libraries")
struct BackupWriterTests {
    private let bench: Workbench
    private let ids: [String]
    private let backup: String
    private let library: String
    private let copy: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(2)
        backup = bench.folder.file("backup")
        library = bench.folder.file("Photos.editlibrary")
        copy = bench.folder.file("Copy.editlibrary")
        _ = try bench.json("backup", backup)
        _ = try bench.json("restore", backup, "--library", copy)
    }

    private func move(_ path: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path, toPath: other)
    }

    private func count(_ path: String) throws -> Int {
        try bench.json("list", "--library", path).count
    }

    /// Backs up a library, optionally after deleting an asset.
    private func backUp(_ path: String, deleting id: String? = nil) throws -> ProcessResult {
        if let id { _ = try bench.json("delete", id, "--library", path) }
        return try bench.run("backup", backup, "--library", path)
    }

    @Test("a restored copy does not take over the backup of the original library")
    func beside() throws {
        let refused = try backUp(copy, deleting: ids[0])
        #expect(refused.status == 73)
        #expect(refused.errors.contains(library), "\(refused.errors)")
        #expect(refused.errors.contains("choose another folder"), "\(refused.errors)")
        #expect(try count(backup) == 2)
        // An unchanged copy is refused too.
        let other = bench.folder.file("Other.editlibrary")
        _ = try bench.json("restore", backup, "--library", other)
        #expect(try backUp(other).status == 73)
        // The original library continues, and the copy gets its own backup.
        #expect(try backUp(library, deleting: ids[1]).status == 0)
        let own = bench.folder.file("own")
        #expect(try bench.run("backup", own, "--library", copy).status == 0)
        #expect(try bench.run("backup", own, "--library", library).status == 73)
    }

    @Test("a restored library continues the backup if the original library is gone")
    func onlyOne() throws {
        try FileManager.default.removeItem(atPath: library)
        for id in ids {
            let result = try backUp(copy, deleting: id)
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try count(backup) == 0)
    }

    @Test("a moved library continues its backup; a copy of it does not")
    func moved() throws {
        let place = bench.folder.file("Moved.editlibrary")
        try move(library, to: place)
        #expect(try backUp(place).status == 0)
        let refused = try backUp(copy, deleting: ids[0])
        #expect(refused.status == 73 && refused.errors.contains(place), "\(refused.errors)")
        // An unrelated library at the old path is not a copy.
        _ = try bench.importPicture(seed: 5)
        #expect(try backUp(place).status == 0)
    }

    @Test("a library does not overwrite a backup that has changes it lacks")
    func diverged() throws {
        // Simulates two machines that cannot see each other's libraries.
        let (away, place) = (bench.folder.file("away"), bench.folder.file("copy-away"))
        try move(library, to: away)
        #expect(try backUp(copy, deleting: ids[0]).status == 0)
        try move(copy, to: place)
        try move(away, to: library)
        for id in [nil, ids[1]] {
            let refused = try backUp(library, deleting: id)
            #expect(refused.status == 73)
            #expect(refused.errors.contains("changes that this copy lacks"))
        }
        #expect(try count(backup) == 1)
        try move(place, to: copy)
        #expect(try backUp(copy).status == 0)
    }

    @Test("a library restored from an older copy does not overwrite a newer backup")
    func older() throws {
        let old = bench.folder.file("old")
        try FileManager.default.copyItem(atPath: library, toPath: old)
        #expect(try backUp(library, deleting: ids[0]).status == 0)
        try FileManager.default.removeItem(atPath: library)
        try move(old, to: library)
        #expect(try backUp(library).status == 73)
        // As many changes as the backup has, but different ones.
        #expect(try backUp(library, deleting: ids[1]).status == 73)
        #expect(try count(backup) == 1)
    }
}
