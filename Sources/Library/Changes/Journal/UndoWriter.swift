// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Restores the values of a plan with the writers of other changes, so that the undo is recorded
/// too.
struct UndoWriter {
    let executor: ChangeExecutor
    let plan: UndoPlan
    /// Renditions of earlier states that the library does not have. The plan may return to other states than those for
    /// which they were rendered, if the entry has gained changes since.
    let rendered: [PhotoLibrary.UndoneState: RenderedContent]

    private var assets: AssetWriter { executor.assets }
    private var database: Database { executor.context.database }

    /// Restores everything. Albums and folders exist before anything is put into them, and are
    /// deleted last.
    func run() throws {
        let changes = Dictionary(grouping: plan.restored) { $0.property }
        for change in changes[.trashedDate] ?? [] where change.old == .empty {
            try assets.restore(change.identifier)
        }
        try restoreColumns()
        try restoreKeywords(changes[.keyword] ?? [])
        try restoreBursts(changes)
        for change in changes[.state] ?? [] { try restoreState(change) }
        try restoreCollections(changes)
        for change in changes[.trashedDate] ?? [] where change.old != .empty {
            // With the earlier date, the next pruning could remove the photo at once.
            try assets.trash(change.identifier)
        }
        for change in changes[.existence] ?? [] where change.key.type == .asset {
            try assets.trash(change.identifier)
        }
        for identifier in plan.deleted {
            try executor.collections.delete(executor.collections.row(identifier))
        }
    }

    // MARK: - Assets

    private func row(of identifier: String) throws -> Int64 {
        try assets.assets.row(of: identifier, mayBeTrashed: true)
    }

    private func restoreColumns() throws {
        var values: [String: [String: (any DatabaseValueConvertible)?]] = [:]
        var order: [String] = []
        for change in plan.restored where change.key.type == .asset {
            guard let stored = JournalColumns.stored(change.old, of: change.property) else {
                continue
            }
            if values[change.identifier] == nil { order.append(change.identifier) }
            values[change.identifier, default: [:]].merge(stored) { $1 }
        }
        for identifier in order {
            try assets.assets.update(
                row(of: identifier), values[identifier] ?? [:], of: identifier)
        }
    }

    private func restoreKeywords(_ changes: [JournalChange]) throws {
        for (identifier, changes) in Self.grouped(changes) {
            func texts(_ isOld: Bool) -> [String] {
                changes.filter { ($0.old != .empty) == isOld }.compactMap(\.key.item.text)
            }
            try assets.keywords.apply(
                [.replace(removed: texts(false), added: texts(true))], to: row(of: identifier),
                identifier)
        }
    }

    /// Restores memberships before picks, and those before representatives.
    private func restoreBursts(_ changes: [JournalProperty: [JournalChange]]) throws {
        for change in changes[.burst] ?? [] {
            try assets.bursts.apply(
                .init(identifier: .some(change.old.text)), to: row(of: change.identifier))
        }
        for change in changes[.burstPick] ?? [] {
            try assets.bursts.setUserPick(row(of: change.identifier), change.old != .empty)
        }
        for change in changes[.burstRepresentative] ?? [] where change.old != .empty {
            try assets.bursts.makeRepresentative(row(of: change.identifier))
        }
    }

    private func restoreState(_ change: JournalChange) throws {
        guard let target = JournalState(change.old) else { throw change.damage }
        let now = try JournalState.current(
            ofAsset: assets.assets.row(of: change.identifier), database)
        try executor.content.move(
            by: target.position - now.position, change.identifier, from: nil,
            rendered: rendered[.init(identifier: change.identifier, state: target)])
    }

    // MARK: - Albums and folders

    private func restoreCollections(_ changes: [JournalProperty: [JournalChange]]) throws {
        try recreateCollections(changes)
        let others = plan.restored.filter {
            $0.key.type == .collection && !plan.recreated.contains($0.identifier)
        }
        for change in others where change.property == .title {
            try executor.collections.setTitle(
                change.old.text ?? "", of: executor.collections.row(change.identifier))
        }
        for change in others where change.property == .place {
            guard let place = JournalPlace(change.old) else { throw change.damage }
            let folder =
                place.folder.isEmpty ? nil : try executor.collections.row(.folder, place.folder)
            try executor.folder(folder).put(
                executor.collections.row(change.identifier), rank: place.rank)
        }
        for (identifier, changes) in Self.grouped(changes[.member] ?? []) {
            let album = executor.album(try executor.collections.row(.album, identifier))
            try album.restore(
                changes.compactMap { change in
                    change.key.item.number.map { (asset: $0, rank: change.old.number) }
                })
        }
        for change in changes[.cover] ?? [] {
            let id = try executor.collections.row(.album, change.identifier)
            if let cover = change.old.number, try !assets.members.contains(cover, in: id) {
                continue
            }
            try executor.collections.setCover(change.old.number, of: id)
        }
    }

    /// Creates deleted albums and folders again, folders before their contents.
    private func recreateCollections(_ changes: [JournalProperty: [JournalChange]]) throws {
        func old(_ property: JournalProperty) -> [String: JournalValue] {
            Dictionary((changes[property] ?? []).map { ($0.identifier, $0.old) }) { $1 }
        }
        let (titles, places) = (old(.title), old(.place))
        var waiting = (changes[.existence] ?? []).filter { plan.recreated.contains($0.identifier) }
        while !waiting.isEmpty {
            let missing = Set(waiting.map(\.identifier))
            var left: [JournalChange] = []
            for change in waiting {
                let place = places[change.identifier].flatMap { JournalPlace($0) }
                guard let place, missing.contains(place.folder) else {
                    try recreate(change, title: titles[change.identifier]?.text, place)
                    continue
                }
                left.append(change)
            }
            if left.count == waiting.count {
                // Only a corrupt journal has folders inside each other.
                for change in left {
                    try recreate(change, title: titles[change.identifier]?.text, nil)
                }
                return
            }
            waiting = left
        }
    }

    /// Creates an album or folder again. If its folder no longer exists, it is at the top level.
    private func recreate(
        _ change: JournalChange, title: String?, _ place: JournalPlace?
    ) throws {
        guard let kind = change.old.text.flatMap(CollectionKind.init(rawValue:)), let title else {
            throw change.damage
        }
        let parent = try place.flatMap { place in
            try database.value(
                "SELECT id FROM collection WHERE uuid = ? AND kind = 'folder'", [place.folder],
                as: Int64.self)
        }
        try executor.collections.insert(
            kind, change.identifier, title, in: parent, rank: place?.rank)
    }

    /// Groups values by object, in the order of the first value of each.
    private static func grouped(
        _ changes: [JournalChange]
    ) -> [(identifier: String, changes: [JournalChange])] {
        var indexes: [String: Int] = [:]
        var groups: [(identifier: String, changes: [JournalChange])] = []
        for change in changes {
            if let index = indexes[change.identifier] {
                groups[index].changes.append(change)
            } else {
                indexes[change.identifier] = groups.count
                groups.append((change.identifier, [change]))
            }
        }
        return groups
    }
}
