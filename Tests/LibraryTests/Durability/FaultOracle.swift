// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryTestSupport
import TestSupport
import Testing

@testable import Library

/// Checks that a change with an injected fault has left the state before it or the one after it.
struct FaultOracle {
    let before: LibrarySnapshot?
    let after: LibrarySnapshot

    /// Runs the task without faults to record the state after it.
    init(_ stage: DriverStage, _ task: DriverStage.Task) throws {
        before =
            task.name == "create"
            ? nil : try Self.snapshot(at: Self.migrated(stage.copy()))
        let path = try stage.copy()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = try stage.run(task, on: path)
        try #require(result.status == 0, "\(result.output)")
        after = try Self.snapshot(at: path)
    }

    /// Upgrades an old library by opening it for writing.
    private static func migrated(_ path: String) throws -> String {
        try PhotoLibrary.open(at: path).close()
        return path
    }

    private static func snapshot(at path: String) throws -> LibrarySnapshot {
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        return try LibrarySnapshot(of: PhotoLibrary.open(at: path, options: options))
    }

    /// A description of the problem with a library, or nil if there is none.
    ///
    /// - Parameter hasSucceeded: Whether the driver reported success.
    func complaint(about path: String, hasSucceeded: Bool) -> String? {
        do {
            if let backup = try Self.missingBackup(path) { return backup }
            let library =
                before == nil
                ? try PhotoLibrary.openOrCreate(at: path) : try PhotoLibrary.open(at: path)
            let report = try library.check(readingDataOf: 100)
            if report.severity > .repairable { return "damage: \(report.findings)" }
            if report.findings.contains(where: { $0.kind == .renditionMissing }) {
                return "a rendition is missing"
            }
            let found = try LibrarySnapshot(of: library)
            if !found.mismatches.isEmpty { return "mixed: \(found.mismatches)" }
            if hasSucceeded, found != after { return "said done, but is not: \(found)" }
            if let before, found != before, found != after { return "neither state: \(found)" }
            _ = try library.prune(keep: 100, emptyingTrash: true)
            let clean = try library.check(readingDataOf: 100)
            if clean.severity != .clean { return "not clean after collection: \(clean.findings)" }
            let files = try BlobInventory(of: library.root).files.count
            if files != clean.fileCount { return "\(files) files, \(clean.fileCount) named" }
            if try Folders.names(in: library.layout.staging).count != 1 { return "staging is full" }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Checks that an upgraded database has a readable backup.
    private static func missingBackup(_ path: String) throws -> String? {
        guard let version = try OldLibrary.versionAndOldest(path), version.oldest < version.now
        else { return nil }
        let layout = LibraryLayout(root: path)
        for name in (try? Folders.names(in: layout.backups)) ?? [] {
            if try OldLibrary.integrity(of: layout.backups + "/" + name) == ["ok"] { return nil }
        }
        return "migrated without a backup"
    }
}
