// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import GRDB
import Library
import TestSupport
import Testing

/// Incremental surveys of renditions, which must not miss a stale one.
@Suite("incremental surveys")
struct RerenderSurveyTests {
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
        try await host.rerender(
            matching: .everything, count: Asset.count(in: studio.library, options: .everything),
            in: studio.library, dryRun: dryRun, jobs: 2,
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

    private func toSurvey() throws -> Int {
        try studio.library.rowsToSurvey(all: false).rows.count
    }

    private func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: studio.library.path + "/library.sqlite")
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    /// Surveys all assets, and stores all folders although they have just been changed.
    private func survey() async throws {
        // Later changes to a folder now change its time.
        try await Task.sleep(for: .milliseconds(50))
        let stored = try studio.library.storedSurvey()
        _ = try await studio.library.store(
            BlobFolders(studio.library, now: .max), changed: BlobFolders.names, lacking: [],
            stamp: stored.stamp)
        #expect(try await rerender() == Outcome(upToDate: 4))
        #expect(try toSurvey() == 0)
    }

    /// The rows of an asset's edits.
    private static let edits =
        "(SELECT edit.id FROM edit JOIN asset ON asset.id = asset_id WHERE asset.uuid = :asset)"

    /// Makes a rendition stale, although the library records that a survey has found it up to date.
    private func spoilSecretly(_ asset: String) throws {
        try execute(
            "UPDATE rendition SET key = '\(String(repeating: "0", count: 64))' WHERE edit_id IN \(Self.edits)",
            ["asset": asset])
        try execute("DELETE FROM unsurveyed")
    }

    @Test("a second survey examines nothing, and a dry run stores nothing")
    func again() async throws {
        #expect(try toSurvey() == 4)
        #expect(try await rerender(dryRun: true) == Outcome(upToDate: 4))
        #expect(try toSurvey() == 4)
        #expect(try studio.library.storedSurvey().kinds.isEmpty)
        #expect(try studio.library.storedSurvey().folders.isEmpty)
        #expect(try await rerender() == Outcome(upToDate: 4))
        #expect(try toSurvey() == 0)
        #expect(try studio.library.storedSurvey().kinds.count == 2)
        #expect(try await rerender(dryRun: true) == Outcome(upToDate: 4))
        // The stored survey is accepted without a check.
        try spoilSecretly(assets[2])
        #expect(try await rerender(dryRun: true) == Outcome(upToDate: 4))
        #expect(try await rerender() == Outcome(upToDate: 4))
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("database changes after a survey are detected, whichever process makes them")
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
            try await survey()
            for part in statement.split(separator: ";") {
                try execute(String(part), part.contains(":asset") ? ["asset": assets[2]] : [])
            }
            let stale = Outcome(upToDate: 3, stale: [assets[2]])
            #expect(try await rerender(dryRun: true) == stale, "\(statement)")
            #expect(
                try await rerender() == Outcome(upToDate: 3, rendered: [assets[2]]), "\(statement)")
        }
        await studio.host.shutDown()
    }

    @Test("edit, undo and import cause only their own assets to be surveyed again")
    func commands() async throws {
        try await survey()
        try await studio.edit(assets[1], "adder", ["amount": "8"])
        #expect(try toSurvey() == 1)
        try await survey()
        let library = studio.library
        try await library.performChanges {
            try AssetChangeRequest(for: library.asset(withLocalIdentifier: assets[1])).undo()
        }
        #expect(try toSurvey() == 1)
        try await survey()
        try await library.performChanges {
            for asset in assets {
                try AssetChangeRequest(for: library.asset(withLocalIdentifier: asset)).isFavorite =
                    true
            }
        }
        #expect(try toSurvey() == 0)
        let other = try await studio.add(TestPicture.gradient().adding(50))
        #expect(try toSurvey() == 1)
        #expect(try await rerender() == Outcome(upToDate: 5))
        #expect(try toSurvey() == 0)
        try await library.performChanges {
            try AssetChangeRequest.deleteAssets([library.asset(withLocalIdentifier: other)])
        }
        #expect(try toSurvey() == 0)
        await studio.host.shutDown()
    }

    @Test(
        "a rendition lost after a survey is detected",
        arguments: ["removed", "folder", "link", "moved shard", "other shard"])
    func files(how: String) async throws {
        try await survey()
        let library = studio.library
        let blob = try #require(library.history(ofAsset: assets[2]).chain.last?.current?.blob)
        let path = studio.blobPath(blob)
        let shard = (path as NSString).deletingLastPathComponent
        let stored = try library.storedSurvey().folders
        #expect(
            BlobFolders(library).changed(since: stored).contains(String(blob.hex.prefix(2)))
                == false)
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
        let dry = try await rerender(dryRun: true)
        #expect(dry.stale.contains(assets[2]) || dry.failed.contains(assets[2]), "\(dry)")
        #expect(dry.upToDate + dry.stale.count + dry.failed.count == 4)
        // The dry run has stored nothing that would hide the change.
        let real = try await rerender()
        if how == "removed" { #expect(real == Outcome(upToDate: 3, rendered: [assets[2]])) }
        #expect(real.rendered.contains(assets[2]) || real.failed.contains(assets[2]), "\(real)")
        await studio.host.shutDown()
    }

    @Test("a rebuilt, removed or reinstalled extension is detected")
    func extensions() async throws {
        try await survey()
        let edited = Array(assets[1...])
        try TestExtension.buildAdder(defines: ["ASK"], in: studio.extensions)
        let rebuilt = try studio.otherHost()
        // A dry run does not change the survey, which stays valid for the host that made it.
        #expect(
            try await rerender(dryRun: true, host: rebuilt)
                == Outcome(upToDate: 1, stale: edited.sorted()))
        #expect(try toSurvey() == 0)
        #expect(try await rerender() == Outcome(upToDate: 4))
        let rendered = try await rerender(host: rebuilt)
        #expect(rendered == Outcome(upToDate: 1, rendered: edited))
        #expect(try await rerender(host: rebuilt) == Outcome(upToDate: 4))
        #expect(try toSurvey() == 0)
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

    @Test("a change by another process during a survey stays to be surveyed")
    func meanwhile() async throws {
        let library = studio.library
        #expect(try await rerender() == Outcome(upToDate: 4))
        try execute("INSERT INTO unsurveyed SELECT id, 7 FROM asset")
        let stamp = try library.storedSurvey().stamp
        let records = try library.renditionRecords(of: .identifiers(assets), suspects: [])
        #expect(records.stamp == stamp && records.unedited.count == 1 && records.edited.count == 3)
        let other = try PhotoLibrary.open(at: library.path)
        try await other.performChanges {
            try AssetChangeRequest(for: other.asset(withLocalIdentifier: assets[2])).undo()
        }
        let imported = try await studio.add(TestPicture.gradient().adding(60))
        let upToDate = records.unedited + records.edited.map(\.asset)
        #expect(try await library.store(upToDate: upToDate, by: [], stamp: stamp))
        let rows = try library.rowsToSurvey(all: false).rows
        let left = try Asset.identifiers(ofRows: rows, in: library, options: .everything)
        #expect(Set(left) == [assets[2], imported])
        // Storing anything changes the stamp.
        try execute("INSERT OR REPLACE INTO unsurveyed SELECT id, 7 FROM asset")
        #expect(try await library.store(upToDate: upToDate, by: [], stamp: stamp) == false)
        #expect(try toSurvey() == 5)
        try other.close()
        await studio.host.shutDown()
    }

    @Test(
        "a foreign stored survey causes a full survey",
        arguments: [
            "UPDATE surveyed_kind SET sample = -1",
            "UPDATE surveyed_kind SET sample = 9223372036854775807",
            "UPDATE surveyed_kind SET sample = 1",
            "UPDATE surveyed_kind SET digest = '\(String(repeating: "0", count: 64))'",
            "UPDATE surveyed_kind SET digest = '\(String(repeating: "?", count: 64))'",
            "UPDATE surveyed_kind SET kind = kind || char(0)",
            "UPDATE surveyed_kind SET kind = printf('%.*c', 100000, 'x') WHERE subject = 'step'",
            "UPDATE surveyed_kind SET kind = kind || 'x'",
            """
            INSERT INTO surveyed_kind WITH RECURSIVE n (x) AS (
                SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300)
            SELECT subject, kind || x, digest, sample FROM surveyed_kind, n WHERE subject = 'step'
            """,
            """
            WITH RECURSIVE n (x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM n WHERE x < 999)
            INSERT INTO surveyed_folder SELECT char(x) || 'x', 1, 1 FROM n
            """,
        ])
    func damaged(sql: String) async throws {
        try await survey()
        try spoilSecretly(assets[2])
        #expect(try await rerender(dryRun: true) == Outcome(upToDate: 4))
        try execute(sql)
        #expect(
            try await rerender(dryRun: true) == Outcome(upToDate: 3, stale: [assets[2]]))
        #expect(try await rerender() == Outcome(upToDate: 3, rendered: [assets[2]]))
        // The survey has been repaired.
        #expect(try await rerender() == Outcome(upToDate: 4))
        #expect(try toSurvey() == 0)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test(
        "out-of-range numbers in a stored survey are harmless",
        arguments: [
            "UPDATE surveyed_folder SET changed = -9223372036854775807 - 1, inode = -1",
            "UPDATE surveyed_folder SET changed = 9223372036854775807, inode = 9223372036854775807",
            "INSERT INTO unsurveyed VALUES (-5, 0), (9223372036854775807, -9223372036854775807 - 1)",
            "INSERT INTO unsurveyed SELECT id, 9223372036854775807 FROM asset",
            "UPDATE library SET survey_stamp = -9223372036854775807 - 1",
            "DELETE FROM surveyed_folder",
            "UPDATE surveyed_folder SET name = 'zz' WHERE name = '00'",
        ])
    func numbers(sql: String) async throws {
        try await survey()
        try execute(sql)
        let blob = try #require(
            try studio.library.history(ofAsset: assets[2]).chain.last?.current?.blob)
        try FileManager.default.removeItem(atPath: studio.blobPath(blob))
        #expect(try await rerender(dryRun: true) == Outcome(upToDate: 3, stale: [assets[2]]))
        #expect(try await rerender() == Outcome(upToDate: 3, rendered: [assets[2]]))
        #expect(try await rerender() == Outcome(upToDate: 4))
        await studio.host.shutDown()
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

    @Test("a restored library is surveyed by its own files")
    func restored() async throws {
        try await survey()
        let backup = studio.folder.file("backup")
        let path = studio.folder.file("Restored.editlibrary")
        _ = try studio.library.backUp(to: backup)
        try await restore(backup, to: path)
        let library = try PhotoLibrary.open(at: path)
        let stored = try library.storedSurvey()
        #expect(stored.kinds.count == 2)
        #expect(BlobFolders(library).changed(since: stored.folders) == BlobFolders.names)
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
}
