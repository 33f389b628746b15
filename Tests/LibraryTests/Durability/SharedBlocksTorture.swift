// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

/// Copies on file systems that can share blocks between files.
@Suite("shared blocks", .torture)
struct SharedBlocksTorture {
    /// Skipped if mounting is not permitted.
    @Test(
        "a copied original shares its blocks and does not change with the source",
        arguments: ["xfs", "btrfs"].filter(LoopDisk.isAvailable))
    func sharing(type: String) throws {
        let disk = try LoopDisk(type, megabytes: 400)
        let library = try PhotoLibrary.create(at: disk.place + "/Test.editlibrary")
        let path = disk.place + "/large"
        let bytes = Data((0..<64 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 8) })
        try bytes.write(to: URL(fileURLWithPath: path))
        sync()
        let before = try free(disk.place)
        let staged = try library.stage(path: path)
        try library.performChanges { _ = try AssetCreationRequest.photo(staged, .sample()) }
        sync()
        #expect(before - (try free(disk.place)) < 16 << 20)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data("other".utf8))
        try file.synchronize()
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        let stored = URL(fileURLWithPath: library.layout.blob(staged.hash))
        #expect(try Data(contentsOf: stored) == bytes)
        try library.close()
    }

    private func free(_ path: String) throws -> Int {
        var status = statvfs()
        try #require(statvfs(path, &status) == 0)
        return Int(status.f_bfree) * Int(status.f_frsize)
    }
}
