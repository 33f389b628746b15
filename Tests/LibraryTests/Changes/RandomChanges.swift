// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport

@testable import Library

/// Changes a library at random through its change requests.
struct RandomChanges {
    let library: PhotoLibrary
    var random: SeededGenerator
    private var number = 0

    init(_ library: PhotoLibrary, seed: UInt64) {
        self.library = library
        random = SeededGenerator(seed: seed)
    }

    /// Commits a block with a few changes.
    mutating func commit(requests: ClosedRange<Int> = 1...6) throws {
        var options = FetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.includeTrashedAssets = true
        var assets = Array(try Asset.fetchAssets(in: library, options: options))
        let count = Int.random(in: requests, using: &random)
        var (random, number) = (self.random, self.number)
        try library.performChanges {
            for _ in 0..<count {
                number += 1
                let choice = assets.isEmpty ? 0 : Int.random(in: 0..<10, using: &random)
                if choice < 3 {
                    try Self.create(number, &random)
                    continue
                }
                let index = Int.random(in: assets.indices, using: &random)
                if choice == 3 {
                    try AssetChangeRequest.removeAssets([assets.remove(at: index)])
                } else if choice == 4 {
                    try AssetChangeRequest.deleteAssets([assets[index]])
                } else {
                    try AssetChangeRequest.restoreAssets([assets[index]])
                    try Self.change(assets[index], &random)
                }
            }
        }
        (self.random, self.number) = (random, number)
    }

    private static func create(_ number: Int, _ random: inout SeededGenerator) throws {
        let request = try AssetCreationRequest(mediaType: .image)
        try request.addResource(
            .photo, url: "https://example.org/\(UUID())",
            filename: ["b", "A", "a", "B"].randomElement(using: &random) ?? "",
            facts: .sample(width: Int.random(in: 1...4, using: &random), date: date(&random)))
        request.isFavorite = Bool.random(using: &random)
        request.isHidden = Int.random(in: 0..<5, using: &random) == 0
        if Int.random(in: 0..<4, using: &random) == 0 {
            request.burstIdentifier = "burst \(Int.random(in: 0..<3, using: &random))"
        }
    }

    private static func change(_ asset: Asset, _ random: inout SeededGenerator) throws {
        let request = try AssetChangeRequest(for: asset)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: request.isFavorite = !asset.isFavorite
        case 1: request.isHidden = !asset.isHidden
        case 2: request.captureDate = date(&random)
        case 3: try request.addKeyword("beach")
        case 4: try request.removeKeyword("beach")
        case 5:
            request.burstIdentifier = Bool.random(using: &random) ? "burst 1" : nil
        case 6:
            request.burstIdentifier = "burst 0"
            request.representsBurst = true
        default:
            request.location =
                Bool.random(using: &random) ? Location(latitude: 10, longitude: 20) : nil
        }
    }

    /// Only a few different dates, so that many are equal, and sometimes none.
    private static func date(_ random: inout SeededGenerator) -> CaptureDate? {
        let day = Int.random(in: 0..<8, using: &random)
        return day == 0
            ? nil : CaptureDate(date: Date(timeIntervalSince1970: Double(day) * 86400), offset: nil)
    }
}

/// A library on an in-memory file system, for tests that commit thousands of changes.
struct MemoryLibrary {
    let folder: TemporaryFolder
    let library: PhotoLibrary

    init() throws {
        folder = try TemporaryFolder(isInMemory: true)
        library = try PhotoLibrary.create(at: folder.file("Test.editlibrary"))
    }
}

extension FetchResultChangeDetails where Element: Identifiable, Element.ID == String {
    /// The resulting list, computed from the previous one as documented.
    func applied() throws -> [String] {
        var list = try fetchResultBeforeChanges.localIdentifiers()
        let after = try fetchResultAfterChanges.localIdentifiers()
        for index in (removedIndexes ?? []).reversed() { list.remove(at: index) }
        // Insert the objects in the order of the resulting list.
        var inserted = insertedObjects.map(\.id)
        if let places = insertedIndexes, places.count == inserted.count {
            for index in places { list.insert(inserted.removeFirst(), at: index) }
        }
        enumerateMoves { from, to in list.insert(list.remove(at: from), at: to) }
        return list == after ? list : list + ["differs"]
    }
}
