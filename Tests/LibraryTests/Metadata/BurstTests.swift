// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

/// The members, representatives and picks of bursts.
@Suite struct BurstTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    /// Pictures taken at intervals of a second, whose files name a burst.
    private func frames(_ count: Int, burst: String? = "burst") throws -> [String] {
        let blobs = try (0..<count).map { _ in try library.stage(UUID().uuidString) }
        var ids: [String] = []
        try library.performChanges {
            for (second, blob) in blobs.enumerated() {
                let date = Date(timeIntervalSince1970: 1_600_000_000 + Double(second))
                var facts = PhotoFacts.sample(date: CaptureDate(date: date, offset: nil))
                facts.metadata = PhotoMetadata(burstIdentifier: burst)
                let request = try AssetCreationRequest.photo(blob, facts)
                ids.append(request.placeholderForCreatedAsset.localIdentifier)
            }
        }
        return ids
    }

    private func asset(_ id: String) throws -> Asset {
        try library.asset(withLocalIdentifier: id)
    }

    private func change(_ id: String, _ body: (AssetChangeRequest) -> Void) throws {
        let asset = try asset(id)
        try library.performChanges { body(try AssetChangeRequest(for: asset)) }
    }

    private func delete(_ ids: String...) throws {
        let assets = try ids.map(asset)
        try library.performChanges { try AssetChangeRequest.removeAssets(assets) }
    }

    /// The assets among these that represent a burst.
    private func representatives(_ ids: [String]) throws -> [String] {
        try ids.filter { try asset($0).representsBurst }
    }

    @Test(
        "P-12 P-14 files with one burst identifier form a burst represented by the first")
    func coming() throws {
        let ids = try frames(3)
        let others = try frames(2, burst: nil)
        #expect(try ids.allSatisfy { try asset($0).burstIdentifier == "burst" })
        #expect(try others.allSatisfy { try asset($0).burstIdentifier == nil })
        #expect(try representatives(ids + others) == [ids[0]])
        // A picture added later does not become the representative.
        let late = try frames(1)
        #expect(try representatives(ids + late) == [ids[0]])
        #expect(
            try Asset.fetchAssets(in: library).map(\.localIdentifier).sorted()
                == ([ids[0]] + others).sorted())
    }

    @Test("F-08 F-09 a burst gives its representative and the user picks, or all on request")
    func fetching() throws {
        let ids = try frames(5)
        try change(ids[3]) { $0.burstSelectionTypes = .userPick }
        try change(ids[2]) { $0.burstSelectionTypes = .autoPick }
        func fetched(_ options: FetchOptions = FetchOptions()) throws -> [String] {
            try Asset.fetchAssets(withBurstIdentifier: "burst", in: library, options: options)
                .map(\.localIdentifier)
        }
        #expect(try fetched() == [ids[0], ids[3]])
        var all = FetchOptions()
        all.includeAllBurstAssets = true
        #expect(try fetched(all) == ids)
    }

    @Test("hiding the representative hides the burst except for user picks")
    func hidingTheRepresentative() throws {
        let ids = try frames(3)
        func listed() throws -> [String] {
            try Asset.fetchAssets(in: library).map(\.localIdentifier)
        }
        try change(ids[0]) { $0.isHidden = true }
        #expect(try listed() == [])
        #expect(try representatives(ids) == [ids[0]])
        try change(ids[2]) { $0.burstSelectionTypes = .userPick }
        #expect(try listed() == [ids[2]])
        try change(ids[1]) { $0.representsBurst = true }
        #expect(try listed().sorted() == [ids[1], ids[2]].sorted())
    }

    @Test("P-13 E-15 picks are bits with PhotoKit's values, and both may be set")
    func picks() throws {
        #expect(AssetBurstSelectionType([]).rawValue == 0)
        #expect(AssetBurstSelectionType.autoPick.rawValue == 1)
        #expect(AssetBurstSelectionType.userPick.rawValue == 2)
        let ids = try frames(2)
        try change(ids[1]) { $0.burstSelectionTypes = [.autoPick, .userPick] }
        let picked = try asset(ids[1])
        #expect(picked.burstSelectionTypes.rawValue == 3)
        #expect(picked.burstSelectionTypes.contains(.autoPick))
        #expect(picked.burstSelectionTypes.contains(.userPick))
        // A pick alone does not make a picture the representative.
        #expect(try representatives(ids) == [ids[0]])
        try change(ids[1]) { $0.burstSelectionTypes = [] }
        #expect(try asset(ids[1]).burstSelectionTypes == [])
    }

    @Test("P-14 another frame can represent the burst on request, and both are reported as updated")
    func choosing() throws {
        let ids = try frames(3)
        let token = try library.currentChangeToken
        let before = try ids.map { try asset($0).modificationDate }
        try change(ids[2]) { $0.representsBurst = true }
        #expect(try representatives(ids) == [ids[2]])
        let changes = try library.fetchPersistentChanges(since: token)
        #expect(Set(changes.flatMap(\.items).map(\.identifier)) == [ids[0], ids[2]])
        #expect(changes.flatMap(\.items).allSatisfy { $0.kind == .updated && $0.isMetadataChange })
        #expect(try asset(ids[0]).modificationDate > before[0])
        #expect(try asset(ids[1]).modificationDate == before[1])
    }

    @Test("P-14 a deleted representative is succeeded by a user pick, auto pick or the earliest")
    func succession() throws {
        let ids = try frames(6)
        try change(ids[2]) { $0.burstSelectionTypes = .autoPick }
        try change(ids[4]) { $0.burstSelectionTypes = .userPick }
        try change(ids[1]) { $0.isHidden = true }
        let token = try library.currentChangeToken
        try delete(ids[0])
        #expect(try representatives(Array(ids[1...])) == [ids[4]])
        let items = try library.fetchPersistentChanges(since: token).flatMap(\.items)
        #expect(items.contains { $0.identifier == ids[4] && $0.kind == .updated })
        #expect(items.count == 2)
        try delete(ids[4])
        #expect(try representatives([ids[1], ids[2], ids[3], ids[5]]) == [ids[2]])
        // A hidden picture becomes the representative only if there is no other.
        try delete(ids[2])
        #expect(try representatives([ids[1], ids[3], ids[5]]) == [ids[3]])
        try delete(ids[3], ids[5])
        #expect(try representatives([ids[1]]) == [ids[1]])
        try delete(ids[1])
        #expect(try library.count("asset") == 0)
    }

    @Test("P-12 photos are added to bursts and removed from them on request")
    func moving() throws {
        let ids = try frames(3)
        let others = try frames(2, burst: nil)
        try change(ids[0]) { $0.burstIdentifier = nil }
        #expect(try asset(ids[0]).burstIdentifier == nil)
        #expect(try representatives(ids) == [ids[1]])
        try change(others[0]) { $0.burstIdentifier = "mine" }
        try change(others[1]) { $0.burstIdentifier = "mine" }
        #expect(try representatives(others) == [others[0]])
        try change(others[0]) { $0.burstSelectionTypes = .userPick }
        try change(others[0]) { $0.burstIdentifier = "burst" }
        #expect(try asset(others[0]).burstSelectionTypes == [])
        #expect(try representatives(ids + others) == [ids[1], others[1]])
        // Setting the same value again changes nothing.
        let token = try library.currentChangeToken
        try change(others[0]) { $0.burstIdentifier = "burst" }
        #expect(try library.currentChangeToken == token)
    }

    @Test("a burst is created in one block with its placeholders")
    func placeholders() throws {
        let blobs = try (0..<3).map { try library.stage("frame \($0)") }
        var ids: [String] = []
        try library.performChanges {
            for (place, blob) in blobs.enumerated() {
                let request = try AssetCreationRequest.photo(blob, .sample())
                request.burstIdentifier = "made"
                let placeholder = request.placeholderForCreatedAsset
                ids.append(placeholder.localIdentifier)
                if place == 2 {
                    try AssetChangeRequest(for: placeholder).representsBurst = true
                }
            }
        }
        #expect(try representatives(ids) == [ids[2]])
    }

    @Test("invalid burst changes are rejected, and nothing changes")
    func refused() throws {
        let ids = try frames(2)
        let alone = try frames(1, burst: nil)[0]
        let token = try library.currentChangeToken
        let wishes: [(String, (AssetChangeRequest) -> Void)] = [
            (ids[0], { $0.representsBurst = false }), (alone, { $0.representsBurst = true }),
            (alone, { $0.burstSelectionTypes = .userPick }),
            (ids[1], { $0.burstSelectionTypes = AssetBurstSelectionType(rawValue: 4) }),
            (ids[1], { $0.burstIdentifier = "" }), (ids[1], { $0.burstIdentifier = " a" }),
            (ids[1], { $0.burstIdentifier = "a\u{0}b" }),
            (ids[1], { $0.burstIdentifier = String(repeating: "x", count: 300) }),
        ]
        for (id, wish) in wishes {
            let error = try libraryError {
                try change(id) {
                    $0.isFavorite = true
                    wish($0)
                }
            }
            #expect(error.code == .invalidRequest && error.assetIdentifier == id)
        }
        #expect(try library.currentChangeToken == token)
        #expect(try !asset(alone).isFavorite)
        // Requesting the current value is allowed.
        try change(ids[1]) { $0.representsBurst = false }
        try change(alone) { $0.burstSelectionTypes = [] }
        #expect(try library.currentChangeToken == token)
    }
}
