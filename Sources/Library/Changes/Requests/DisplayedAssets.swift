// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The part of an album that a program displays, which its indexes refer to.
///
/// The album may contain more assets, such as hidden ones, and other processes may change it
/// concurrently. Index-based requests are therefore translated to identifiers.
final class DisplayedAssets: Sendable {
    typealias Step = CollectionChange.Step

    /// The displayed list, updated with each requested step.
    private let shown: Mutex<[String]>

    init(_ identifiers: [String]) { shown = Mutex(identifiers) }

    /// Appends assets to the displayed list.
    func append(_ assets: [String]) {
        shown.withLock { shown in
            for asset in assets where !shown.contains(asset) { shown.append(asset) }
        }
    }

    /// Removes assets from the displayed list.
    func remove(_ assets: [String]) {
        let removed = Set(assets)
        shown.withLock { $0.removeAll(where: removed.contains) }
    }

    /// Returns the steps that remove the assets at these indexes.
    func removal(at indexes: [Int]) throws -> [Step] {
        try shown.withLock { shown in
            let removed = try ListInsertions.checked(indexes, count: shown.count).map { shown[$0] }
            shown.removeAll(where: Set(removed).contains)
            return [.remove(removed)]
        }
    }

    /// Returns the steps that insert assets. Each index is the final index of its asset.
    func insertion(of assets: [String], at indexes: [Int]) throws -> [Step] {
        guard assets.count == indexes.count,
            zip(indexes, indexes.dropFirst()).allSatisfy(<), indexes.first ?? 0 >= 0
        else {
            throw LibraryError(
                .invalidRequest, "inserted objects need one index each, ascending and at least 0")
        }
        return try shown.withLock { shown in
            var list = shown
            var steps: [Step] = []
            for (asset, index) in zip(assets, indexes) where !list.contains(asset) {
                guard index <= list.count else {
                    throw ListInsertions.outOfRange(index, count: list.count)
                }
                let next = index < list.count ? list[index] : nil
                list.insert(asset, at: index)
                steps.append(.add([asset]))
                steps.append(Self.place([asset], after: list[..<index].last, before: next))
            }
            shown = list
            return steps
        }
    }

    /// Returns the steps that replace the assets at these indexes.
    func replacement(at indexes: [Int], with assets: [String]) throws -> [Step] {
        try shown.withLock { shown in
            _ = try ListInsertions.checked(indexes, count: shown.count)
            guard indexes.count == assets.count, Set(indexes).count == indexes.count else {
                throw LibraryError(
                    .invalidRequest,
                    "give one replacement for each index, and each index only "
                        + "once")
            }
            var list = shown
            for (index, asset) in zip(indexes, assets) { list[index] = asset }
            guard Set(list).count == list.count else {
                throw LibraryError(.invalidRequest, "an album cannot contain the same asset twice")
            }
            var steps: [Step] = [.add(assets)]
            // Each asset is placed after its predecessor, which is already in place by then.
            for index in indexes.sorted() where list[index] != shown[index] {
                steps.append(
                    Self.place([list[index]], after: list[..<index].last, before: shown[0]))
            }
            steps.append(.remove(shown.filter { !list.contains($0) }))
            shown = list
            return steps
        }
    }

    /// Returns the steps that move the assets at these indexes, so that the first of them is at an
    /// index of the list without them.
    func move(at indexes: [Int], to destination: Int) throws -> [Step] {
        try shown.withLock { shown in
            let moved = try ListInsertions.checked(indexes, count: shown.count).map { shown[$0] }
            var list = shown.filter { !moved.contains($0) }
            guard (0...list.count).contains(destination) else {
                throw ListInsertions.outOfRange(destination, count: list.count)
            }
            let next = destination < list.count ? list[destination] : nil
            let step = Self.place(moved, after: list[..<destination].last, before: next)
            list.insert(contentsOf: moved, at: destination)
            shown = list
            return moved.isEmpty ? [] : [step]
        }
    }

    private static func place(_ assets: [String], after: String?, before: String?) -> Step {
        let position: AlbumPosition =
            if let after {
                .after(AssetPlaceholder(localIdentifier: after))
            } else if let before {
                .before(AssetPlaceholder(localIdentifier: before))
            } else {
                .start
            }
        return .album(.place(assets, position))
    }
}
