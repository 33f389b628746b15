// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Hashing
import TestSupport
import Testing

@testable import Library

/// Files that are made durable together by the change that commits them.
@Suite("grouped staging")
struct GroupedStagingTests {
    private static let task = DriverStage.Task("group")

    @Test("a group of files is committed like files staged one by one")
    func group() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let texts = (0..<20).map { "photo \($0)" } + ["photo 3"]
        let blobs = try texts.map { text in
            let path = temporary.folder + "/source"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return try library.stage(OpenFile(path, O_RDONLY), synchronizing: false)
        }
        // One of them is stored already, and one is staged as usual.
        try library.importAsset("photo 7")
        let single = try library.stage("single")
        let token = try library.currentChangeToken
        try library.performChanges {
            for blob in blobs.dropLast() + [single] {
                _ = try AssetCreationRequest.photo(blob, .sample())
            }
        }
        #expect(try library.fetchPersistentChanges(since: token).count == 1)
        for (blob, text) in zip(blobs + [single], texts + ["single"]) {
            #expect(try library.text(blob.hash) == text)
        }
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("a stored file is staged again without a copy, unless it is damaged or missing")
    func storedFile() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        try library.importAsset("photo")
        let hash = SHA256Digest(bytes: SHA256.hash(data: Data("photo".utf8)))
        let path = "\(library.path)/blobs/\(hash.hex.prefix(2))/\(hash.hex)"
        let staged = try #require(try library.stageStored(hash, size: 5))
        let (first, second) = (try stat.ofPath(path), try stat.ofPath(staged.path))
        #expect(try #require(first).isSameFile(as: #require(second)))
        try library.performChanges { _ = try AssetCreationRequest.photo(staged, .sample()) }
        #expect(try library.text(hash) == "photo")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        #expect(try library.stageStored(hash, size: 4) == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(try library.stageStored(hash, size: 5) == nil)
        try Data("phOto".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try library.stageStored(hash, size: 5) == nil)
        // A blob that was staged before is stored in place of the damaged file.
        try library.performChanges { _ = try AssetCreationRequest.photo(staged, .sample()) }
        #expect(try library.text(hash) == "photo")
    }

    @Test(
        "a group synchronizes its files before their names, and the names before the rows",
        .enabled(if: SystemTrace.isAvailable, "strace cannot trace here"))
    func order() throws {
        let stage = try DriverStage(for: Self.task)
        let path = try stage.copy()
        let (result, calls) = try SystemTrace.trace(
            DriverStage.driver, stage.arguments(Self.task, on: path), in: stage.folder)
        try #require(result.status == 0, "\(result.output)")
        func places(_ name: String, _ text: String = "(") -> [Int] {
            calls.indices.filter { calls[$0].name == name && calls[$0].line.contains(text) }
        }
        let links = places("linkat", "/blobs/")
        let synchronized = places("syncfs")
        try #require(links.count == 3 && synchronized.count == 2)
        // The last writes of files in the session's folder.
        let copied = places("fchmod", "/staging/")
        #expect(copied.count == 3 && copied.allSatisfy { $0 < synchronized[0] })
        #expect(links.allSatisfy { synchronized[0] < $0 && $0 < synchronized[1] })
        let rows = places("pwrite64", "-wal").filter { $0 > links[0] }
        #expect(try #require(rows.first) > synchronized[1])
        let forced = places("fdatasync", "-wal") + places("fsync", "-wal")
        #expect(try #require(forced.max()) > #require(rows.last))
        #expect(places("fsync", "/staging/") == [] && places("fsync", "/blobs/") == [])
    }

    @Test(
        "a group that cannot be synchronized is not committed",
        .enabled(if: SystemTrace.isAvailable, "strace cannot trace here"), arguments: [0, 1])
    func failure(index: Int) throws {
        let stage = try DriverStage(for: Self.task)
        let before = try LibrarySnapshot(of: PhotoLibrary.open(at: stage.copy()))
        let path = try stage.copy()
        let result = try SystemTrace.run(
            DriverStage.driver, stage.arguments(Self.task, on: path), fault: .EIO, at: "syncfs",
            index, in: stage.folder)
        #expect(try #require(result).status != 0)
        #expect(try LibrarySnapshot(of: PhotoLibrary.open(at: path)) == before)
    }

    @Test(
        "a group killed at any of its system calls leaves the state before or after",
        .enabled(if: SystemTrace.isAvailable, "strace cannot trace here"))
    func kill() throws {
        let result = try FaultInjection(Self.task).run(.kill, every: 3)
        #expect(result.points >= 10)
        #expect(result.complaints == [])
    }
}
