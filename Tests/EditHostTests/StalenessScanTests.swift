// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import GRDB
import LibraryTestSupport
import TestSupport
import Testing

@testable import Library

/// Scans for stale renditions, which must not miss one.
@Suite("scans for stale renditions")
struct StalenessScanTests {
    /// The outcome of re-rendering all assets.
    private struct Outcome: Equatable {
        var upToDate = 0
        var stale: [String] = []
        var rendered: [String] = []
        var failed: [String] = []
    }

    private let studio: TestStudio
    /// The first asset is not edited.
    private let assets: [String]

    init() async throws {
        studio = try TestStudio()
        var assets: [String] = []
        for number in 0..<4 {
            assets.append(try await studio.add(TestPicture.gradient().adding(number)))
        }
        for asset in assets[1...] { try await studio.edit(asset, "adder", ["amount": "9"]) }
        self.assets = assets
    }

    /// Re-renders all stale assets. A dry run is repeated by identifiers and must have the same outcome.
    private func rerender(
        dryRun: Bool = false, host: ExtensionHost? = nil
    ) async throws -> Outcome {
        let host = host ?? studio.host
        var outcome = Outcome()
        var options = RerenderOptions(jobs: 2)
        options.dryRun = dryRun
        try await host.rerender(
            matching: .everything, in: studio.library, options: options,
            upToDate: { outcome.upToDate += $0 }, report: { Self.count($0, &outcome) })
        guard dryRun else { return outcome }
        var other = Outcome()
        try await host.rerender(
            assets, in: studio.library, dryRun: true, jobs: 2,
            report: { Self.count($0, &other) })
        other.stale.sort()
        outcome.stale.sort()
        #expect(outcome == other)
        return outcome
    }

    private static func count(_ result: RerenderResult, _ outcome: inout Outcome) {
        switch result.status {
        case .upToDate: outcome.upToDate += 1
        case .stale: outcome.stale.append(result.assetIdentifier)
        case .rendered: outcome.rendered.append(result.assetIdentifier)
        case .failed: outcome.failed.append(result.assetIdentifier)
        }
    }

    private func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: studio.library.path + "/library.sqlite")
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    /// The assets that a scan finds up to date.
    private func scan() async throws -> Set<String> {
        try await studio.host.upToDateAssets(among: assets, in: studio.library)
    }

    private var allButOne: Set<String> { Set(assets).subtracting([assets[2]]) }

    /// The rows of an asset's edits.
    private static let edits =
        "(SELECT edit.id FROM edit JOIN asset ON asset.id = asset_id WHERE asset.uuid = :asset)"

    @Test("a scan finds all unchanged renditions, each time")
    func again() async throws {
        for _ in 0..<2 {
            #expect(try await scan() == Set(assets))
            #expect(try await rerender(dryRun: true) == Outcome(upToDate: 4))
            #expect(try await rerender() == Outcome(upToDate: 4))
        }
        await studio.host.shutDown()
    }

    @Test("database changes are detected, whichever process makes them")
    func changes() async throws {
        let zeros = String(repeating: "0", count: 64)
        let statements = [
            "UPDATE rendition SET key = '\(zeros)' WHERE edit_id IN \(Self.edits)",
            """
            UPDATE rendition SET key = '\(zeros)', ingredients = CAST('{}' AS BLOB)
            WHERE edit_id IN \(Self.edits)
            """,
            "DELETE FROM rendition WHERE edit_id IN \(Self.edits)",
            """
            INSERT OR IGNORE INTO blob VALUES ('\(zeros)', 1);
            UPDATE OR REPLACE rendition SET blob_hash = '\(zeros)' WHERE edit_id IN \(Self.edits)
            """,
            """
            UPDATE edit SET adjustment_data = CAST('11 plain ' AS BLOB),
                adjustment_hash = '\(zeros)' WHERE id IN \(Self.edits)
            """,
        ]
        for statement in statements {
            #expect(try await scan() == Set(assets))
            for part in statement.split(separator: ";") {
                try execute(String(part), part.contains(":asset") ? ["asset": assets[2]] : [])
            }
            let stale = Outcome(upToDate: 3, stale: [assets[2]])
            #expect(try await scan() == allButOne, "\(statement)")
            #expect(try await rerender(dryRun: true) == stale, "\(statement)")
            #expect(
                try await rerender() == Outcome(upToDate: 3, rendered: [assets[2]]), "\(statement)")
        }
        await studio.host.shutDown()
    }

    @Test("nothing is stale after edit, undo, import and delete")
    func commands() async throws {
        try await studio.edit(assets[1], "adder", ["amount": "8"])
        #expect(try await scan() == Set(assets))
        let library = studio.library
        try await library.performChanges {
            try AssetChangeRequest(for: library.asset(withLocalIdentifier: assets[1])).undo()
        }
        #expect(try await scan() == Set(assets))
        #expect(try await rerender() == Outcome(upToDate: 4))
        let other = try await studio.add(TestPicture.gradient().adding(50))
        #expect(try await rerender() == Outcome(upToDate: 5))
        try await library.performChanges {
            try AssetChangeRequest.removeAssets([library.asset(withLocalIdentifier: other)])
        }
        #expect(try await rerender() == Outcome(upToDate: 4))
        await studio.host.shutDown()
    }

    @Test(
        "a lost rendition is detected",
        arguments: ["removed", "folder", "link", "moved shard", "other shard"])
    func files(how: String) async throws {
        let library = studio.library
        let blob = try #require(library.history(ofAsset: assets[2]).chain.last?.current?.blob)
        let path = studio.blobPath(blob)
        let shard = (path as NSString).deletingLastPathComponent
        let files = FileManager.default
        switch how {
        case "moved shard": try files.moveItem(atPath: shard, toPath: shard + ".away")
        case "other shard":
            try files.moveItem(atPath: shard, toPath: shard + ".away")
            try files.createDirectory(atPath: shard, withIntermediateDirectories: false)
        default:
            try files.moveItem(atPath: path, toPath: path + ".away")
            if how == "folder" {
                try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            } else if how == "link" {
                try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".away")
            }
        }
        #expect(try await scan().contains(assets[2]) == false)
        let dry = try await rerender(dryRun: true)
        #expect(dry.stale.contains(assets[2]) || dry.failed.contains(assets[2]), "\(dry)")
        #expect(dry.upToDate + dry.stale.count + dry.failed.count == 4)
        let real = try await rerender()
        if how == "removed" { #expect(real == Outcome(upToDate: 3, rendered: [assets[2]])) }
        #expect(real.rendered.contains(assets[2]) || real.failed.contains(assets[2]), "\(real)")
        await studio.host.shutDown()
    }

    @Test("a rebuilt, removed or reinstalled extension is detected")
    func extensions() async throws {
        let edited = Array(assets[1...])
        try TestExtension.buildAdder(defines: ["ASK"], in: studio.extensions)
        let rebuilt = try studio.otherHost()
        #expect(
            try await rerender(dryRun: true, host: rebuilt)
                == Outcome(upToDate: 1, stale: edited.sorted()))
        #expect(try await rerender() == Outcome(upToDate: 4))
        let rendered = try await rerender(host: rebuilt)
        #expect(rendered == Outcome(upToDate: 1, rendered: edited))
        #expect(try await rerender(host: rebuilt) == Outcome(upToDate: 4))
        // The earlier host still has the other build.
        #expect(try await rerender() == Outcome(upToDate: 1, rendered: edited))
        #expect(try await rerender(host: rebuilt) == Outcome(upToDate: 1, rendered: edited))
        #expect(try await rerender(host: rebuilt) == Outcome(upToDate: 4))

        let (place, away) = (
            studio.extensions + "/adder.editingextension", studio.folder.file("away")
        )
        try FileManager.default.moveItem(atPath: place, toPath: away)
        let bare = try studio.otherHost()
        #expect(try await rerender(host: bare) == Outcome(upToDate: 1, failed: edited))
        try FileManager.default.moveItem(atPath: away, toPath: place)
        let restored = try studio.otherHost()
        #expect(try await rerender(host: restored) == Outcome(upToDate: 4))
        for host in [rebuilt, bare, restored, studio.host] { await host.shutDown() }
    }

    /// Retries, because a process that another test forks meanwhile holds the backup's lock until it executes its
    /// program.
    private func restore(_ backup: String, to path: String) async throws {
        for _ in 0..<200 {
            do {
                _ = try PhotoLibrary.restore(from: backup, to: path)
                return
            } catch let error as LibraryError where error.code == .busy {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        _ = try PhotoLibrary.restore(from: backup, to: path)
    }

    @Test("a restored library is scanned by its own files")
    func restored() async throws {
        let backup = studio.folder.file("backup")
        let path = studio.folder.file("Restored.editlibrary")
        _ = try studio.library.backUp(to: backup)
        try await restore(backup, to: path)
        let library = try PhotoLibrary.open(at: path)
        var results: [RerenderResult] = []
        try await studio.host.rerender(assets, in: library, jobs: 2) { results.append($0) }
        #expect(results.map(\.status) == [.upToDate, .upToDate, .upToDate, .upToDate])
        let blob = try #require(library.history(ofAsset: assets[3]).chain.last?.current?.blob.hex)
        try FileManager.default.removeItem(atPath: "\(path)/blobs/\(blob.prefix(2))/\(blob)")
        results = []
        try await studio.host.rerender(assets, in: library, jobs: 2) { results.append($0) }
        #expect(results.map(\.status) == [.upToDate, .upToDate, .upToDate, .rendered])
        try library.close()
        await studio.host.shutDown()
    }

    @Test("nothing is rendered after a library of version 11 is migrated")
    func migrated() async throws {
        let path = studio.library.path
        try studio.library.close()
        try OldLibrary.downgrade(path, to: 11)
        let library = try PhotoLibrary.open(at: path)
        let found = try await studio.host.upToDateAssets(among: assets, in: library)
        #expect(found == Set(assets))
        var results: [RerenderResult] = []
        try await studio.host.rerender(assets, in: library, jobs: 2) { results.append($0) }
        #expect(results.map(\.status) == [.upToDate, .upToDate, .upToDate, .upToDate])
        try library.close()
        await studio.host.shutDown()
    }
}
