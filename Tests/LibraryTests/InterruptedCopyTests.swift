// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Library

/// Backups and restores that were interrupted before the database, and continue after the library has lost a file.
@Suite("interrupted backups and restores")
struct InterruptedCopyTests {
    private struct Stop: Error {}

    private let temporary: TemporaryLibrary
    private let assets: [Asset]

    init() throws {
        temporary = try TemporaryLibrary()
        let library = temporary.library
        assets = try ["one", "two"].map { try library.importAsset($0) }
    }

    private var library: PhotoLibrary { temporary.library }
    private var backup: String { temporary.folder + "/Backup" }

    /// Ends a copy when all files are there.
    private func stop(_ done: Int, _ total: Int) throws {
        if done == total { throw Stop() }
    }

    private func removeFirst() throws {
        try library.performChanges { try AssetChangeRequest.removeAssets([assets[0]]) }
        _ = try library.prune(emptyingTrash: true)
    }

    private func blobCount(_ path: String, in folder: String = "blobs") throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/" + folder)
            .count { $0.utf8.count > 60 }
    }

    @Test("a first backup continues, and removes the file that the library lost")
    func backups() throws {
        #expect(throws: Stop.self) { try library.backUp(to: backup, progress: stop) }
        #expect(try blobCount(backup) == 2)
        try removeFirst()
        #expect(try library.backUp(to: backup).failures.isEmpty)
        #expect(try blobCount(backup) == 1)
        // The next backups do not accept other files.
        try FileManager.default.removeItem(atPath: backup + "/library.sqlite")
        try FileManager.default.removeItem(atPath: backup + "/snapshots")
        try library.performChanges { try AssetChangeRequest.removeAssets([assets[1]]) }
        _ = try library.prune(emptyingTrash: true)
        let error = try libraryError { _ = try library.backUp(to: backup) }
        #expect(error.code == .alreadyExists)
        #expect(try blobCount(backup) == 1)
    }

    @Test("a restore continues from a later backup, and moves the unused file to the trash")
    func restores() throws {
        _ = try library.backUp(to: backup)
        let target = temporary.folder + "/Restored"
        #expect(throws: Stop.self) {
            try PhotoLibrary.restore(from: backup, to: target, progress: stop)
        }
        #expect(try blobCount(target) == 2)
        try removeFirst()
        _ = try library.backUp(to: backup)
        let report = try PhotoLibrary.restore(from: backup, to: target)
        #expect(report.failures.isEmpty && report.removedFileCount == 1)
        #expect(try blobCount(target) == 1)
        #expect(try blobCount(target, in: "trash") == 1)
        let restored = try PhotoLibrary.open(at: target)
        #expect(try restored.check().findings.isEmpty)
        try restored.close()
    }

    @Test("an interrupted restore is not continued from the backup of another library")
    func others() throws {
        _ = try library.backUp(to: backup)
        let target = temporary.folder + "/Restored"
        #expect(throws: Stop.self) {
            try PhotoLibrary.restore(from: backup, to: target, progress: stop)
        }
        let other = try TemporaryLibrary()
        try other.library.importAsset("three")
        _ = try other.library.backUp(to: other.folder + "/Backup")
        let error = try libraryError {
            _ = try PhotoLibrary.restore(from: other.folder + "/Backup", to: target)
        }
        #expect(error.code == .alreadyExists)
        #expect(try blobCount(target) == 2)
    }
}
