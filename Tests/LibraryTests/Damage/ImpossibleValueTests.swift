// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Testing

@testable import Library

/// Values of the correct type that the library would never write.
@Suite("impossible values")
struct ImpossibleValueTests {
    private let rich: RichLibrary

    init() throws { rich = try RichLibrary() }

    /// The findings of `check` in a copy whose database was changed.
    private func findings(after sql: String) throws -> [CheckReport.Kind] {
        let copy = try rich.copy()
        try RichLibrary.execute(on: copy) { try $0.execute(sql: sql) }
        return try PhotoLibrary.check(at: copy).findings.map(\.kind)
    }

    @Test(
        "check finds invalid identifiers, impossible dates and exhausted counters",
        arguments: [
            "UPDATE asset SET uuid = '' WHERE id = 1",
            "UPDATE asset SET uuid = '../../etc/x' WHERE id = 1",
            "UPDATE asset SET uuid = upper(uuid) WHERE id = 1",
            "UPDATE collection SET uuid = char(27) || ']0;x' WHERE id = 1",
            "UPDATE library SET uuid = char(27) || '[2J'",
            "UPDATE library SET next_asset_id = 9223372036854775807",
            "UPDATE library SET next_collection_id = 9223372036854775806",
            "UPDATE sqlite_sequence SET seq = 9223372036854775807",
            "UPDATE sqlite_sequence SET seq = 9223372036854775806",
            "UPDATE sqlite_sequence SET seq = 'abc'",
            "UPDATE sqlite_sequence SET seq = -1",
            "UPDATE asset SET original_folder = '../../etc' WHERE id = 1",
            "UPDATE asset SET original_folder = '/etc' WHERE id = 1",
            "UPDATE asset SET original_folder = 'a//b' WHERE id = 1",
            "UPDATE asset SET original_folder = printf('%.*c', 4097, 'x') WHERE id = 1",
            "UPDATE rejected_file SET hash = 'abc'",
            "UPDATE rejected_file SET size = -1",
            "UPDATE rejected_file SET rejected_date = 9223372036854775807",
            "UPDATE rejected_file SET path = printf('%.*c', 65537, 'x')",
            "UPDATE asset SET trashed_date = 9223372036854775807 WHERE id = 1",
            "UPDATE asset SET trashed_date = -9223372036854775808 WHERE id = 1",
        ])
    func identifiersAndCounters(sql: String) throws {
        let findings = try findings(after: sql)
        #expect(findings.contains(.databaseDamaged), "\(findings)")
    }

    @Test(
        "an overlong text is damage",
        arguments: [
            "UPDATE asset SET original_filename = printf('%.*c', 300000000, 'x') WHERE id = 1",
            "UPDATE asset SET camera_make = printf('%.*c', 65537, 'x') WHERE id = 1",
            "UPDATE collection SET title = printf('%.*c', 65537, 'x') WHERE id = 1",
            "UPDATE resource SET facts = printf('%.*c', 4194305, ' ') WHERE facts IS NOT NULL",
        ])
    func longTexts(sql: String) throws {
        let findings = try findings(after: sql)
        #expect(findings.contains(.databaseDamaged), "\(findings)")
    }

    @Test("texts of the maximum length are read, and longer ones are not stored")
    func limits() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let longest = String(repeating: "x", count: StoredValueLimits.text)
        func makeAlbum(_ title: String) throws {
            try library.performChanges {
                _ = try AssetCollectionChangeRequest(creatingWithTitle: title)
            }
        }
        try makeAlbum(longest)
        #expect(try libraryError { try makeAlbum(longest + "x") }.code == .invalidRequest)
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        #expect(albums.map(\.localizedTitle) == [longest])
        #expect(try library.check().severity == .clean)
    }

    @Test("a failed write is not damage, and a failed read is")
    func brokenDisk() {
        func isDamage(_ code: ResultCode) -> Bool {
            let error = LibraryError.translating(
                DatabaseError(resultCode: code), path: "Photos.editlibrary")
            return (error as? LibraryError)?.isDamage == true
        }
        for code in [
            ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_SHMSIZE,
            .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_TRUNCATE, .SQLITE_FULL,
        ] {
            #expect(!isDamage(code), "\(code)")
        }
        for code in [ResultCode.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_CORRUPT] {
            #expect(isDamage(code), "\(code)")
        }
    }
}
