// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import Testing

/// Undos of journal entries by a host, which renders missing pictures.
@Suite("undo of entries by a host")
struct JournalUndoingTests {
    private let studio: TestStudio
    private let assets: [String]

    init() async throws {
        studio = try TestStudio()
        let studio = studio
        var assets: [String] = []
        for seed in 0..<3 { assets.append(try await studio.add(.gradient(seed: seed))) }
        for asset in assets { _ = try await studio.edit(asset, "adder", ["amount": "3"]) }
        _ = try await studio.host.edit(
            assets, EditRequest(extensionName: "adder", values: ["amount": "7"]),
            in: studio.library)
        self.assets = assets
    }

    private func entry() throws -> JournalEntry.Identifier {
        try #require(try studio.library.journal(limit: 1).first).identifier
    }

    private func positions() throws -> [Int] {
        try assets.map { try studio.library.history(ofAsset: $0).position }
    }

    private func change(_ index: Int, _ body: (AssetChangeRequest) throws -> Void) throws {
        let asset = try studio.library.history(ofAsset: assets[index]).asset
        try studio.library.performChanges { try body(AssetChangeRequest(for: asset)) }
    }

    @Test("pictures of earlier states that were pruned are rendered again")
    func rendered() async throws {
        let (before, entry) = (try positions(), try entry())
        _ = try studio.library.prune()
        var prepared: [String] = []
        let report = try await studio.host.undo(entry, in: studio.library) { prepared.append($0) }
        #expect(prepared == assets && report.left == [])
        #expect(try positions() == before.map { $0 - 1 })
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("photos that are changed while pictures are prepared are left")
    func during() async throws {
        let (before, entry) = (try positions(), try entry())
        var outcome: Result<Void, any Error>?
        let report = try await studio.host.undo(entry, in: studio.library) { identifier in
            if identifier == assets[2] {
                outcome = Result { try change(0) { try $0.revertAssetContentToOriginal() } }
            }
        }
        try #require(outcome).get()
        #expect(report.left.map(\.identifier) == [assets[0]])
        #expect(try positions() == [0, before[1] - 1, before[2] - 1])
        await studio.host.shutDown()
    }

    @Test("a photo whose earlier picture cannot be rendered is left, and the others are undone")
    func unrendered() async throws {
        let (before, entry) = (try positions(), try entry())
        _ = try studio.library.prune()
        let original = try #require(try studio.library.history(ofAsset: assets[1]).original)
        let hash = try #require(original.contentHash)
        try FileManager.default.removeItem(atPath: studio.blobPath(hash))
        let planned = try studio.library.previewedUndo(of: entry)
        #expect(planned.left.map(\.identifier) == [assets[1]])
        let report = try await studio.host.undo(entry, in: studio.library)
        #expect(report.left.map(\.outcome) == [.unrendered])
        #expect(report.left.map(\.identifier) == [assets[1]])
        #expect(report.left.first?.reason?.isEmpty == false)
        #expect(try positions() == [before[0] - 1, before[1], before[2] - 1])
        await studio.host.shutDown()
    }

    @Test("photos are left if the extension of their earlier edit is missing")
    func missingExtension() async throws {
        let (before, entry) = (try positions(), try entry())
        _ = try studio.library.prune()
        let host = try studio.otherHost { $0.extensionFolders = [] }
        let report = try await host.undo(entry, in: studio.library)
        #expect(report.undone == [])
        #expect(report.left.map(\.outcome) == [.unrendered, .unrendered, .unrendered])
        #expect(try positions() == before)
        await host.shutDown()
        await studio.host.shutDown()
    }
}
