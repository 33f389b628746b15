// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// Random changes of bursts, in any order, in one or several blocks.
@Suite struct RandomBurstTests {
    private static let bursts = ["one", "two", "three", "four"]

    @Test("P-14 each burst has exactly one representative after random changes")
    func invariant() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        var ids: [String] = []
        for round in 0..<120 {
            let before = try snapshot(library)
            let token = try library.currentChangeToken
            let blobs = try (0..<3).map { try library.stage("picture \(round) \($0)") }
            var (created, deleted): ([String], Set<String>) = ([], [])
            try library.performChanges {
                for blob in blobs.prefix(Int.random(in: 0...3, using: &random)) {
                    let request = try AssetCreationRequest.photo(blob, .sample())
                    request.burstIdentifier = Self.burst(&random)
                    request.captureDate = Self.date(&random)
                    created.append(request.placeholderForCreatedAsset.localIdentifier)
                }
                for id in ids.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
                {
                    if try !change(before[id], &random) { deleted.insert(id) }
                }
            }
            ids = (ids + created).filter { !deleted.contains($0) }
            let after = try snapshot(library)
            #expect(Set(after.keys) == Set(ids), "seed \(seed), round \(round)")
            expectOneEach(after, "seed \(seed), round \(round)")
            try expectTold(
                before, after, library.fetchPersistentChanges(since: token),
                "seed \(seed), \(round)")
        }
    }

    private static func burst(_ random: inout SeededGenerator) -> String? {
        Bool.random(using: &random) ? bursts.randomElement(using: &random) : nil
    }

    private static func date(_ random: inout SeededGenerator) -> CaptureDate? {
        let seconds = Double(Int.random(in: 0...5, using: &random))
        return seconds == 0
            ? nil : CaptureDate(date: Date(timeIntervalSince1970: seconds), offset: nil)
    }

    /// Requests a random change of an asset. Returns false if it is deleted.
    private func change(_ asset: Asset?, _ random: inout SeededGenerator) throws -> Bool {
        guard let asset else { return true }
        let kind = Int.random(in: 0...6, using: &random)
        if kind == 0 {
            try AssetChangeRequest.removeAssets([asset])
            return false
        }
        if kind == 6 {
            try AssetChangeRequest.deleteAssets([asset])
            return true
        }
        try AssetChangeRequest.restoreAssets([asset])
        let request = try AssetChangeRequest(for: asset)
        switch kind {
        case 1: request.burstIdentifier = Self.burst(&random)
        case 2: request.isHidden.toggle()
        default:
            let burst = asset.burstIdentifier ?? Self.bursts[0]
            request.burstIdentifier = burst
            if Bool.random(using: &random) { request.representsBurst = true }
            request.burstSelectionTypes = AssetBurstSelectionType(
                rawValue: Int.random(in: 0...3, using: &random))
        }
        return true
    }

    private func snapshot(_ library: PhotoLibrary) throws -> [String: Asset] {
        var options = FetchOptions.everything
        options.includeTrashedAssets = true
        let assets = try Asset.fetchAssets(in: library, options: options)
        return Dictionary(uniqueKeysWithValues: assets.map { ($0.localIdentifier, $0) })
    }

    private func expectOneEach(_ assets: [String: Asset], _ comment: Comment) {
        let bursts = Dictionary(grouping: assets.values.filter { $0.burstIdentifier != nil }) {
            $0.burstIdentifier ?? ""
        }
        for members in bursts.values {
            #expect(members.count(where: \.representsBurst) == 1, comment)
            // One in the trash represents only a burst that is in the trash as a whole.
            let isShown = members.contains { $0.representsBurst && !$0.isTrashed }
            #expect(isShown || members.allSatisfy(\.isTrashed), comment)
        }
        for asset in assets.values where asset.burstIdentifier == nil {
            #expect(!asset.representsBurst && asset.burstSelectionTypes == [], comment)
        }
    }

    /// Expects that the history reports each changed asset, and no others.
    private func expectTold(
        _ before: [String: Asset], _ after: [String: Asset], _ changes: [PersistentChange],
        _ comment: Comment
    ) {
        #expect(changes.count <= 1, comment)
        let items = changes.flatMap(\.items)
        for (id, asset) in after {
            guard let old = before[id] else {
                #expect(items.contains { $0.identifier == id && $0.kind == .inserted }, comment)
                continue
            }
            let isTold = items.contains { $0.identifier == id && $0.kind == .updated }
            if old != asset { #expect(isTold, comment) }
            #expect(isTold == (old.modificationDate != asset.modificationDate), comment)
        }
    }
}
