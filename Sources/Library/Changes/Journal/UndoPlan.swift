// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Decides which values of a journal entry an undo restores: those whose current value is still the
/// one that the entry set. It reads and changes nothing.
struct UndoPlan {
    /// The values to restore.
    private(set) var restored: [JournalChange] = []
    /// The albums and folders to delete, contents before their folders.
    private(set) var deleted: [String] = []
    /// The report if the undo is executed now.
    private(set) var report = UndoReport()

    let changes: [JournalChange]
    private let unrendered: [String: String]
    /// The number of keywords that assets can gain.
    private var keywordRoom: [String: Int] = [:]
    private let present: CurrentValues
    /// The entry's values of albums and folders, by property and object, except for members.
    private var collections: [JournalProperty: [String: JournalChange]] = [:]
    /// The row IDs of the assets that the entry put into albums, took from them or moved.
    private var members: [String: Set<Int64>] = [:]
    /// The folders to which albums and folders may be moved back.
    private let oldFolders: Set<String>
    /// The albums and folders to create again.
    private(set) var recreated: Set<String> = []
    /// The folders to which albums and folders are moved back.
    private var plannedFolders: [String: String] = [:]
    /// The moves of folders whose old folder is inside them now. Another move may take it out.
    private var waitingMoves: [JournalChange] = []
    /// The row IDs of the assets that are put back into albums or moved back in them.
    private var returning: [String: Set<Int64>] = [:]
    /// The assets that are restored from the trash.
    private var untrashed: Set<String> = []
    /// The assets that the entry made the representatives of their bursts.
    private let representatives: Set<String>
    /// The assets that the entry created.
    private let created: CreatedAssets
    /// The dates of the trash that an undo of an undo has set, by asset. They count as those of the
    /// entry.
    private let trashedDates: [String: Set<JournalValue>]
    /// The entry's changes of the bursts of assets, by asset.
    private let bursts: [String: JournalChange]
    private var database: Database { present.database }

    /// - Parameter unrendered: The assets whose earlier picture cannot be rendered, with the reasons.
    /// - Throws: `LibraryError` with `damaged` if a value is invalid.
    init(
        _ tokens: [Int64], _ database: Database, unrendered: [String: String] = [:]
    ) throws {
        self.unrendered = unrendered
        let reader = JournalReader(database: database)
        changes = try reader.values(tokens)
        for change in changes { try change.requireValid() }
        present = CurrentValues(database)
        for change in changes where change.key.type == .collection {
            if change.property != .member {
                collections[change.property, default: [:]][change.identifier] = change
            } else if let asset = change.key.item.number {
                members[change.identifier, default: []].insert(asset)
            }
        }
        oldFolders = Set(
            collections[.place, default: [:]].values.compactMap { JournalPlace($0.old)?.folder })
        representatives = Set(
            changes.filter { $0.property == .burstRepresentative && $0.new != .empty }
                .map(\.identifier))
        bursts = Dictionary(
            changes.filter { $0.property == .burst }.map { ($0.identifier, $0) }
        ) { $1 }
        let undos = try tokens.first.map { try reader.undos(of: $0) } ?? ([], [])
        trashedDates = try reader.trashedDates(undos.redos)
        created = try CreatedAssets(tokens, undos: undos.all, database)
        report.removedAssetCount = try reader.removedAssetCount(tokens)
        try planExistence()
        // Removed keywords make room for others.
        for change in changes where change.removesKeywordOnUndo { try planAsset(change) }
        for change in changes where change.key.type == .asset && !change.removesKeywordOnUndo {
            try planAsset(change)
        }
        for change in changes where change.key.type == .collection && change.property != .cover {
            try planCollection(change)
        }
        try planWaitingMoves()
        for change in changes where change.property == .cover { try planCollection(change) }
    }

    private mutating func add(
        _ change: JournalChange, _ outcome: UndoReport.Outcome, name: String,
        reason: String? = nil
    ) {
        report.add(change, outcome, name: name, reason: reason)
        guard outcome == .undone else { return }
        restored.append(change)
        if change.property == .member, change.old != .empty, let asset = change.key.item.number {
            returning[change.identifier, default: []].insert(asset)
        }
    }

    /// Adds the outcome of a value: undone if it is still the one that the entry set. One that
    /// already has its old value is left out.
    private mutating func compare(_ change: JournalChange, with now: JournalValue, name: String) {
        if now == change.old { return }
        add(change, now == change.new ? .undone : .changed, name: name)
    }

    // MARK: - Existence

    /// Plans the albums and folders to create and to delete, and the assets to restore from the
    /// trash. Other values depend on these.
    private mutating func planExistence() throws {
        var created: [JournalChange] = []
        for change in changes {
            switch (change.property, change.key.type) {
            case (.existence, .collection):
                let isPresent = try present.collection(change.identifier) != nil
                if change.new != .empty, isPresent { created.append(change) }
                guard change.new == .empty, !isPresent else { continue }
                guard let title = value(.title, of: change.identifier)?.old.text else {
                    throw change.damage
                }
                recreated.insert(change.identifier)
                add(change, .undone, name: title)
            case (.trashedDate, _) where change.old == .empty:
                let now = try present.asset(change.identifier)?.values[.trashedDate]
                if let now, isTrashedBy(change, now) { untrashed.insert(change.identifier) }
            default: continue
            }
        }
        try planDeletions(created)
    }

    /// Plans the deletion of new albums and folders that have nothing else in them now.
    private mutating func planDeletions(_ created: [JournalChange]) throws {
        var waiting = created
        var removed: Set<String> = []
        var hasProgress = true
        while hasProgress {
            hasProgress = false
            for (index, change) in waiting.enumerated().reversed() {
                guard try isAsCreated(change.identifier, without: removed) else { continue }
                deleted.append(change.identifier)
                removed.insert(change.identifier)
                waiting.remove(at: index)
                let title = try present.collection(change.identifier)?.title
                add(change, .undone, name: title ?? "")
                hasProgress = true
            }
        }
        for change in waiting {
            add(change, .changed, name: try present.collection(change.identifier)?.title ?? "")
        }
    }

    /// Whether a new collection has the title, the place, the cover and the contents that the entry
    /// gave it, and gets no contents back. Deleting a folder would delete these.
    ///
    /// - Parameter removed: The albums and folders that are deleted before it.
    private func isAsCreated(_ identifier: String, without removed: Set<String>) throws -> Bool {
        guard let found = try present.collection(identifier),
            value(.title, of: identifier)?.new.text == found.title,
            value(.place, of: identifier).flatMap({ JournalPlace($0.new) })?.folder == found.folder,
            found.cover == nil || value(.cover, of: identifier)?.new == JournalValue(found.cover),
            !oldFolders.contains(identifier)
        else { return false }
        let contents = try present.contents(of: found.id)
        return (members[identifier] ?? []).isSuperset(of: contents.assets)
            && removed.isSuperset(of: contents.collections)
    }

    private func value(_ property: JournalProperty, of collection: String) -> JournalChange? {
        collections[property]?[collection]
    }

    // MARK: - Assets

    private mutating func planAsset(_ change: JournalChange) throws {
        guard let asset = try present.asset(change.identifier) else {
            if created.removed.contains(change.identifier) { return }
            return add(change, .removed, name: "")
        }
        let name = asset.filename
        switch change.property {
        case .existence:
            guard change.new == .number(1) else { throw change.damage }
            if !asset.isTrashed {
                add(change, created.outcome(of: change.identifier), name: name)
            }
        case .keyword:
            guard let text = change.key.item.text else { throw change.damage }
            try planKeyword(change, text, asset)
        case .state: try planState(change, asset)
        case .burstPick, .burstRepresentative: try planBurst(change, asset)
        case .trashedDate:
            let now = asset.values[.trashedDate] ?? .empty
            if change.old != .empty, now != .empty { return }
            compare(change, with: isTrashedBy(change, now) ? change.new : now, name: name)
        default: compare(change, with: asset.values[change.property] ?? .empty, name: name)
        }
    }

    private mutating func planKeyword(
        _ change: JournalChange, _ text: String, _ asset: CurrentValues.FoundAsset
    ) throws {
        let identifier = change.identifier
        let now = JournalValue(try present.hasKeyword(text, asset: asset.id))
        guard now == change.new else { return compare(change, with: now, name: asset.filename) }
        var room =
            try keywordRoom[identifier]
            ?? PhotoMetadata.maximumKeywords - present.keywordCount(ofAsset: asset.id)
        room += change.removesKeywordOnUndo ? 1 : -1
        guard change.removesKeywordOnUndo || room >= 0 else {
            return add(change, .full, name: asset.filename)
        }
        keywordRoom[identifier] = room
        add(change, .undone, name: asset.filename)
    }

    private mutating func planState(
        _ change: JournalChange, _ asset: CurrentValues.FoundAsset
    ) throws {
        guard let old = JournalState(change.old), let new = JournalState(change.new) else {
            throw change.damage
        }
        let now = try JournalState.current(ofAsset: asset.id, database)
        if now == old { return }
        let outcome: UndoReport.Outcome
        if now != new {
            outcome = .changed
        } else if asset.isTrashed, !untrashed.contains(change.identifier) {
            outcome = .trashed
        } else if try !old.exists(inAsset: asset.id, database) {
            outcome = .discarded
        } else {
            outcome = unrendered[change.identifier] == nil ? .undone : .unrendered
        }
        add(
            change, outcome, name: asset.filename,
            reason: outcome == .unrendered ? unrendered[change.identifier] : nil)
    }

    /// Whether a date of the trash was set by the entry, or by an undo of its undo.
    private func isTrashedBy(_ change: JournalChange, _ now: JournalValue) -> Bool {
        now == change.new || trashedDates[change.identifier]?.contains(now) == true
    }

    /// Plans the pick or the representative of a burst.
    private mutating func planBurst(
        _ change: JournalChange, _ asset: CurrentValues.FoundAsset
    ) throws {
        // A photo stops being the representative when another one becomes it.
        if change.property == .burstRepresentative, change.old == .empty { return }
        let now = asset.values[change.property] ?? .empty
        if now == change.old { return }
        let outcome: UndoReport.Outcome
        if let burst = burst(of: change.identifier, asset) {
            let isFree = try change.property == .burstPick || representativeIsNew(burst)
            if now != change.new || !isFree {
                outcome = .changed
            } else if change.property == .burstRepresentative, asset.isTrashed,
                !untrashed.contains(change.identifier)
            {
                outcome = .trashed
            } else {
                outcome = .undone
            }
        } else {
            outcome = .changed
        }
        add(change, outcome, name: asset.filename)
    }

    /// Returns the burst that an asset will be in; nil if it will be in none.
    private func burst(of identifier: String, _ asset: CurrentValues.FoundAsset) -> String? {
        let now = asset.values[.burst] ?? .empty
        guard let change = bursts[identifier], change.new == now else { return now.text }
        return change.old.text
    }

    /// Whether the entry chose the photo that represents a burst now.
    private func representativeIsNew(_ burst: String) throws -> Bool {
        guard let other = try present.representative(ofBurst: burst)
        else { return true }
        return representatives.contains(other)
    }

    // MARK: - Albums and folders

    private mutating func planCollection(_ change: JournalChange) throws {
        let identifier = change.identifier
        if change.property == .existence { return }
        if recreated.contains(identifier) { return try planContents(change) }
        // A new one is deleted as a whole, and a deleted one that exists again is left.
        if value(.existence, of: identifier) != nil { return }
        guard let found = try present.collection(identifier) else {
            return add(change, .removed, name: "")
        }
        let name = found.title
        switch change.property {
        case .title:
            if change.old == .empty { throw change.damage }
            compare(change, with: .text(found.title), name: name)
        case .place:
            guard let old = JournalPlace(change.old), let new = JournalPlace(change.new) else {
                throw change.damage
            }
            if old.folder == found.folder { return }
            guard new.folder == found.folder else { return add(change, .changed, name: name) }
            guard try old.folder.isEmpty || exists(old.folder) else {
                return add(change, .removed, name: name)
            }
            guard try !isFolder(old.folder, in: identifier) else {
                return waitingMoves.append(change)
            }
            plannedFolders[identifier] = old.folder
            add(change, .undone, name: name)
        case .cover:
            let now = JournalValue(found.cover)
            let isFound = try isMember(change.old, of: found.id, identifier)
            if now == change.new, now != change.old, !isFound {
                return add(change, .removed, name: name)
            }
            compare(change, with: now, name: name)
        case .member: try planMember(change, of: found)
        default: throw change.damage
        }
    }

    /// Plans the moves of folders that waited for others, as long as one of them becomes possible.
    private mutating func planWaitingMoves() throws {
        var count = waitingMoves.count + 1
        while waitingMoves.count < count {
            let moves = waitingMoves
            count = moves.count
            waitingMoves = []
            for change in moves { try planCollection(change) }
        }
        for change in waitingMoves {
            add(change, .changed, name: try present.collection(change.identifier)?.title ?? "")
        }
    }

    /// Plans a value of an album or folder that is created again.
    private mutating func planContents(_ change: JournalChange) throws {
        // Put into it by the entry, and taken out by another one before this one deleted it.
        if change.old == .empty { return }
        let name = value(.title, of: change.identifier)?.old.text ?? ""
        let asset = change.property == .member ? change.key.item.number : change.old.number
        if let asset, try !present.hasAsset(row: asset) {
            return add(change, .removed, name: name)
        }
        restored.append(change)
    }

    private mutating func planMember(
        _ change: JournalChange, of album: CurrentValues.FoundCollection
    ) throws {
        guard let asset = change.key.item.number else { throw change.damage }
        guard try present.hasAsset(row: asset) else {
            return add(change, .removed, name: album.title)
        }
        let now = JournalValue(try present.rank(of: asset, in: album.id))
        // Being a member counts, and the rank only for one that was moved.
        let isMoved = change.old != .empty && change.new != .empty
        if !isMoved, (now == .empty) == (change.old == .empty) { return }
        compare(change, with: isMoved ? now : change.new, name: album.title)
    }

    /// Whether an asset is or will be in an album.
    private func isMember(_ asset: JournalValue, of album: Int64, _ identifier: String) throws
        -> Bool
    {
        guard let asset = asset.number else { return true }
        if returning[identifier]?.contains(asset) == true { return true }
        return try present.rank(of: asset, in: album) != nil
    }

    /// Whether a folder is a collection or inside it, after the moves planned so far.
    private func isFolder(_ folder: String, in collection: String) throws -> Bool {
        var passed: Set<String> = []
        var next = folder
        while !next.isEmpty, passed.insert(next).inserted {
            if next == collection { return true }
            if let planned = plannedFolders[next] {
                next = planned
            } else if recreated.contains(next) {
                next = value(.place, of: next).flatMap { JournalPlace($0.old) }?.folder ?? ""
            } else {
                next = try present.collection(next)?.folder ?? ""
            }
        }
        return false
    }

    private func exists(_ folder: String) throws -> Bool {
        if recreated.contains(folder) { return true }
        return try present.collection(folder) != nil
    }
}
