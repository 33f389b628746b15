// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import GRDB
import Library
import Synchronization
import TestSupport
import Testing

/// The plan that `rerender` makes before it renders.
@Suite("render plans")
struct RerenderPlanTests {
    private func rerender(
        _ studio: TestStudio, _ assets: [String], host: ExtensionHost? = nil, force: Bool = false,
        dryRun: Bool = false
    ) async throws -> (plan: RerenderPlan?, results: [RerenderResult]) {
        var results: [RerenderResult] = []
        var plan: RerenderPlan?
        try await (host ?? studio.host).rerender(
            assets, in: studio.library, force: force, dryRun: dryRun, jobs: 2,
            planned: { plan = $0 }, report: { results.append($0) })
        return (plan, results)
    }

    private final class Usage: Sendable {
        struct Counts {
            var now = 0
            var most = 0
            var alone = 0
        }

        let counts = Mutex(Counts())
    }

    @Test("pictures rendered concurrently stay within the memory limit together")
    func memory() async {
        let budget = MemoryBudget(limit: 100)
        let usage = Usage()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                // One in ten is larger than the whole budget.
                let bytes = index % 10 == 9 ? 250 : 10 + index % 7 * 15
                group.addTask {
                    await budget.using(bytes) {
                        usage.counts.withLock {
                            if bytes > 100, $0.now == 0 { $0.alone += 1 }
                            $0.now += bytes
                            if bytes <= 100 { $0.most = max($0.most, $0.now) }
                        }
                        await Task.yield()
                        usage.counts.withLock { $0.now -= bytes }
                    }
                }
            }
        }
        let result = usage.counts.withLock { $0 }
        #expect(result.now == 0 && result.most <= 100 && result.alone == 20, "\(result)")
    }

    @Test("an impossible picture size is counted without a trap")
    func absurdSize() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let queue = try DatabaseQueue(path: studio.library.path + "/library.sqlite")
        // With 16-bit samples, slightly less than the largest integer, and more than that.
        for size in [(759253141, 759247109), (1_000_000_000, 1_000_000_000)] {
            try await queue.write {
                try $0.execute(
                    sql: "UPDATE asset SET original_pixel_width = ?, original_pixel_height = ?",
                    arguments: [size.0, size.1])
                try $0.execute(
                    sql: "UPDATE resource SET facts = json_set(facts, '$.bitsPerSample', 16)")
            }
            #expect(try studio.library.history(ofAsset: asset).renderingMemory > 1 << 60)
        }
        await studio.host.shutDown()
    }

    private func blob(_ studio: TestStudio, _ asset: String) throws -> String {
        try #require(
            try studio.library.history(ofAsset: asset).chain.last?.current?.blob.hex)
    }

    @Test(
        "a plan reports current, changed and lost pictures and a rebuilt extension exactly"
    )
    func exact() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        var assets: [String] = []
        for number in 0..<6 {
            assets.append(try await studio.add(TestPicture.gradient().adding(number)))
        }
        for asset in assets[1...] { try await studio.edit(asset, "adder", ["amount": "9"]) }
        for asset in assets[3...] { try await studio.edit(asset, "other", ["amount": "3"]) }
        let idle = try await rerender(studio, assets)
        #expect(idle.results.map(\.assetIdentifier) == assets)
        #expect(idle.results.allSatisfy { $0.status == .upToDate })
        #expect(idle.results.map(\.reason).first == "no edits")
        #expect(idle.plan?.staleCount == 0 && idle.plan?.upToDateCount == 6)

        // All assets are scanned together, not one at a time.
        let records = try studio.library.renditionRecords(
            ofRows: studio.library.assetRows(of: assets))
        #expect(records.unedited.map(\.identifier) == [assets[0]])
        #expect(records.edited.map(\.assetIdentifier).sorted() == assets[1...].sorted())
        #expect(records.edited.map(\.steps.count).sorted() == [1, 1, 2, 2, 2])
        #expect(
            try await studio.host.upToDateAssets(among: assets, in: studio.library) == Set(assets))

        // After one file is deleted, exactly its photo is stale.
        let before = try assets[1...].map { try blob(studio, $0) }
        let lost = studio.library.path + "/blobs/\(before[1].prefix(2))/\(before[1])"
        try FileManager.default.removeItem(atPath: lost)
        let dry = try await rerender(studio, assets, dryRun: true)
        #expect(dry.results.filter { $0.status == .stale }.map(\.assetIdentifier) == [assets[2]])
        #expect(dry.plan?.reasons.map(\.reason) == ["its file is missing"])
        #expect(!FileManager.default.fileExists(atPath: lost))
        let done = try await rerender(studio, assets)
        #expect(
            done.results.filter { $0.status == .rendered }.map(\.assetIdentifier) == [assets[2]])
        #expect(try assets[1...].map { try blob(studio, $0) } == before)

        // After an edit has changed a recipe, nothing is stale, because the edit has rendered it.
        try await studio.edit(assets[1], "adder", ["amount": "8"])
        #expect(try await rerender(studio, assets).plan?.staleCount == 0)

        // After an extension is rebuilt and a file deleted, exactly the affected assets are
        // rendered, and the most frequent reason comes first.
        try TestExtension.buildAdder("org.example.other", defines: ["ASK"], in: studio.extensions)
        try FileManager.default.removeItem(
            atPath: studio.library.path + "/blobs/\(before[1].prefix(2))/\(before[1])")
        let host = try studio.otherHost()
        let rebuilt = try await rerender(studio, assets, host: host)
        #expect(
            rebuilt.results.filter { $0.status == .rendered }.map(\.assetIdentifier)
                == Array(assets[2...]))
        let reasons = try #require(rebuilt.plan?.reasons)
        #expect(reasons.map(\.count) == [3, 1])
        #expect(reasons[0].reason == "another build of org.example.other is installed")
        #expect(try await rerender(studio, assets, host: host).plan?.staleCount == 0)
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("a plan detects a rendition whose key, recipe or original was replaced")
    func wrong() async throws {
        let studio = try TestStudio()
        var assets: [String] = []
        for number in 0..<5 {
            assets.append(try await studio.add(TestPicture.gradient().adding(number)))
        }
        for asset in assets { try await studio.edit(asset, "adder", ["amount": "9"]) }
        let queue = try DatabaseQueue(path: studio.library.path + "/library.sqlite")
        let zeros = String(repeating: "0", count: 64)
        let all = assets
        try await queue.write { database in
            func change(_ sql: String, _ asset: Int) throws {
                try database.execute(
                    sql: sql + """
                         (SELECT edit.id FROM edit JOIN asset ON asset.id = asset_id
                        WHERE asset.uuid = ?)
                        """,
                    arguments: [all[asset]])
            }
            try change("UPDATE rendition SET key = '\(zeros)' WHERE edit_id IN", 0)
            try change(
                """
                UPDATE rendition SET ingredients = CAST(replace(
                    ingredients, '"hostRendering":', '"hostRendering":9') AS BLOB) WHERE edit_id IN
                """, 1)
            try change("UPDATE rendition SET ingredients = CAST('{}' AS BLOB) WHERE edit_id IN", 2)
            try change(
                """
                UPDATE edit SET adjustment_data = CAST('11 plain ' AS BLOB),
                    adjustment_hash = '\(zeros)' WHERE id IN
                """, 3)
        }
        let found = try await rerender(studio, assets, dryRun: true)
        // Only the key decides.
        #expect(
            found.results.map(\.status) == [.stale, .upToDate, .upToDate, .stale, .upToDate])
        await studio.host.shutDown()
    }

    @Test(
        "a plan reports expected failures: an unsupported format and a lost original"
    )
    func failing() async throws {
        let studio = try TestStudio()
        var assets: [String] = []
        for number in 0..<3 {
            assets.append(try await studio.add(TestPicture.gradient().adding(number)))
            try await studio.edit(assets[number], "adder", ["amount": "9"])
        }
        let queue = try DatabaseQueue(path: studio.library.path + "/library.sqlite")
        let asset = assets[0]
        try await queue.write { database in
            try database.execute(
                sql: """
                    UPDATE edit SET format_identifier = 'org.example.unknown', format_version = '99'
                    WHERE asset_id = (SELECT id FROM asset WHERE uuid = ?)
                    """, arguments: [asset])
        }
        let original = try #require(
            try studio.library.history(ofAsset: assets[1]).original?.contentHash?.hex)
        try FileManager.default.removeItem(
            atPath: studio.library.path + "/blobs/\(original.prefix(2))/\(original)")
        let dry = try await rerender(studio, assets, force: true, dryRun: true)
        #expect(dry.results.map(\.status) == [.failed, .failed, .stale])
        #expect(dry.plan?.missing.map(\.assetIdentifier) == [assets[0]])
        #expect(dry.results[0].reason.contains("org.example.unknown 99"), "\(dry.results[0])")
        let real = try await rerender(studio, assets, force: true)
        #expect(real.results.map(\.status) == [.failed, .failed, .rendered])
        await studio.host.shutDown()
    }

    @Test(
        "disabled edits, edits with files and application edits are planned as rendered"
    )
    func others() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "9"])
        try await studio.edit(asset, "other", ["amount": "3"])
        _ = try await studio.host.setEdits(
            at: [1], of: asset, enabled: false, in: studio.library)
        #expect(try studio.current(asset) == TestPicture.gradient().adding(3))
        #expect(try await rerender(studio, [asset]).plan?.staleCount == 0)
        // The extension of a disabled edit may be missing.
        try FileManager.default.removeItem(
            atPath: studio.extensions + "/adder.editingextension")
        let host = try studio.otherHost()
        #expect(try await rerender(studio, [asset], host: host).plan?.upToDateCount == 1)
        try FileManager.default.removeItem(
            atPath: studio.extensions + "/other.editingextension")
        let bare = try studio.otherHost()
        let failed = try await rerender(studio, [asset], host: bare)
        #expect(failed.plan?.missing.map(\.assetIdentifier) == [asset])
        #expect(failed.results.map(\.status) == [.failed])
        #expect(try studio.current(asset) == TestPicture.gradient().adding(3))
        for host in [host, bare, studio.host] { await host.shutDown() }
    }
}
