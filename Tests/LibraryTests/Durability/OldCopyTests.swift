// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

/// A database restored from an old copy, which names files that have been moved to the trash since.
@Suite("database from an old copy")
struct OldCopyTests {
    @Test("emptying the trash keeps files that an old copy of the database names")
    func emptying() throws {
        let temporary = try TemporaryLibrary()
        let layout = temporary.library.layout
        let deleted = try temporary.library.importAsset("deleted since")
        try temporary.library.close()
        let backup = temporary.folder + "/old.sqlite"
        try FileManager.default.copyItem(atPath: layout.database, toPath: backup)
        do {
            let later = try temporary.reopen()
            let forgotten = try later.importAsset("imported since")
            try later.performChanges {
                try AssetChangeRequest.removeAssets([deleted, forgotten])
            }
            #expect(try later.prune().trashedCount == 2)
            try later.close()
        }
        for suffix in ["", "-wal", "-shm"] { try Folders.removeFile(layout.database + suffix) }
        try FileManager.default.copyItem(atPath: backup, toPath: layout.database)
        // Make the trash look old.
        let days = try FileManager.default.contentsOfDirectory(atPath: layout.trash)
        #expect(days.count == 1)
        for day in days {
            try FileManager.default.moveItem(
                atPath: "\(layout.trash)/\(day)", toPath: layout.trash + "/2020-01-01")
        }

        let library = try temporary.reopen()
        #expect(try library.prune().fileCount == 1)
        #expect(try library.prune(emptyingTrash: true).fileCount == 0)
        #expect(try library.check().findings.map(\.kind) == [.originalMissing])
        #expect(try library.repair(library.check()) == [.restored])
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        // A trashed copy of a stored file may be deleted.
        #expect(try UnusedFilesFolder(root: library.root).files().isEmpty)
    }
}
