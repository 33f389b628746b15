// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Maintains the invariant that each burst has exactly one representative.
///
/// The first asset added represents its burst until a request names another one. If a burst loses
/// its representative, the end of the change chooses the next: an asset picked by the user, then
/// one picked by a program, then the earliest. Hidden assets are considered last, and assets in the
/// trash only if no other remains.
final class BurstRule {
    private let assets: AssetTable
    /// Bursts whose representative was removed or trashed by this block, or may be in the trash.
    /// `chooseRepresentatives` chooses new ones.
    private var pendingBursts: Set<String> = []
    /// Bursts that gained a member by a request, or lost the one picked automatically. The host
    /// picks again after the commit.
    private(set) var unpicked: Set<String> = []

    init(assets: AssetTable) { self.assets = assets }

    private var database: Database { assets.context.database }

    /// An asset that represents its burst, or is about to.
    private struct Representative {
        let row: Int64
        let identifier: String
        let isTrashed: Bool

        init(_ row: Row) throws {
            self.row = try row.rowNumber(0)
            identifier = try row.value(1)
            isTrashed = try row.value(2)
        }
    }

    /// The properties of an asset that decide its role in a burst.
    private struct Member {
        let identifier: String
        let burst: String?
        let representsBurst: Bool
        let selectionTypes: AssetBurstSelectionType
    }

    /// Whether the next asset added to a burst becomes its representative.
    func lacksRepresentative(_ burst: String) throws -> Bool {
        // `chooseRepresentatives` chooses among all members.
        if pendingBursts.contains(burst) { return false }
        guard let representative = try representative(of: burst) else { return true }
        if representative.isTrashed { pendingBursts.insert(burst) }
        return false
    }

    /// Applies the burst changes of a request: membership, picks and representative.
    func apply(_ change: AssetChangeRequest.BurstChange, to id: Int64) throws {
        if let burst = change.identifier { try move(id, toBurst: burst) }
        if let types = change.selectionTypes { try pick(id, types) }
        if let isPick = change.isAutomaticPick { try setAutomaticPick(id, isPick) }
        if let represents = change.represents { try setRepresents(id, represents) }
    }

    /// Records what a burst loses when this asset is trashed or removed: its representative or its
    /// automatic pick.
    func leave(asset id: Int64) throws { recordLoss(of: try member(id)) }

    /// Records that an asset returns to its burst from the trash.
    func rejoin(asset id: Int64) throws {
        guard let burst = try member(id).burst else { return }
        pendingBursts.insert(burst)
        unpicked.insert(burst)
    }

    /// Records that a request adds a new asset to a burst.
    func join(_ burst: String) { unpicked.insert(burst) }

    private func recordLoss(of member: Member) {
        guard let burst = member.burst else { return }
        if member.representsBurst { pendingBursts.insert(burst) }
        if member.selectionTypes.contains(.autoPick) { unpicked.insert(burst) }
    }

    /// Chooses representatives for the bursts that lost theirs. A trashed one is kept if all photos
    /// of the burst are in the trash.
    func chooseRepresentatives() throws {
        for burst in pendingBursts.sorted() {
            let before = try representative(of: burst)
            if before?.isTrashed == false { continue }
            let next = try database.record(
                """
                SELECT id, uuid, trashed_date IS NOT NULL FROM asset WHERE burst_identifier = ?
                ORDER BY trashed_date IS NOT NULL, is_hidden, burst_selection_types & 2 DESC,
                    burst_selection_types & 1 DESC, sort_date, sort_file_date, id
                LIMIT 1
                """,
                [burst], Representative.init)
            guard let next, before == nil || !next.isTrashed else { continue }
            if let before {
                try assets.update(before.row, ["represents_burst": false], of: before.identifier)
            }
            try assets.update(next.row, ["represents_burst": true], of: next.identifier)
        }
        pendingBursts = []
    }

    private func move(_ id: Int64, toBurst burst: String?) throws {
        let member = try member(id)
        try Self.requireValid(burst: burst, asset: member.identifier)
        guard member.burst != burst else { return }
        recordLoss(of: member)
        if let burst { join(burst) }
        let values: [String: (any DatabaseValueConvertible)?] = [
            "burst_identifier": burst, "burst_selection_types": 0,
            "represents_burst": try burst.map(lacksRepresentative) ?? false,
        ]
        try assets.update(id, values, of: member.identifier)
    }

    private func pick(_ id: Int64, _ types: AssetBurstSelectionType) throws {
        let member = try member(id)
        guard types.isEmpty || member.burst != nil else { throw Self.notInBurst(member) }
        guard types.isSubset(of: [.autoPick, .userPick]) else {
            throw LibraryError(
                .invalidRequest,
                "a picture in a burst must be picked automatically, by the user, or both",
                asset: member.identifier)
        }
        try assets.update(id, ["burst_selection_types": types.rawValue], of: member.identifier)
    }

    /// Sets or removes the automatic pick, and keeps the user's pick. A no-op outside a burst,
    /// which the asset may have left since it was measured.
    private func setAutomaticPick(_ id: Int64, _ isPick: Bool) throws {
        let member = try member(id)
        guard member.burst != nil else { return }
        var types = member.selectionTypes
        if isPick { types.insert(.autoPick) } else { types.remove(.autoPick) }
        // A host picks again by itself.
        try assets.update(
            id, ["burst_selection_types": types.rawValue], of: member.identifier,
            isRecorded: false)
    }

    /// Sets or removes the user's pick, and keeps the automatic pick. A no-op outside a burst.
    func setUserPick(_ id: Int64, _ isPick: Bool) throws {
        let member = try member(id)
        guard member.burst != nil else { return }
        var types = member.selectionTypes
        if isPick { types.insert(.userPick) } else { types.remove(.userPick) }
        try assets.update(id, ["burst_selection_types": types.rawValue], of: member.identifier)
    }

    /// Makes an asset the representative of its burst. A no-op outside a burst.
    func makeRepresentative(_ id: Int64) throws {
        if try member(id).burst != nil { try setRepresents(id, true) }
    }

    private func setRepresents(_ id: Int64, _ represents: Bool) throws {
        let member = try member(id)
        guard represents != member.representsBurst else { return }
        guard let burst = member.burst else { throw Self.notInBurst(member) }
        guard represents else {
            throw LibraryError(
                .invalidRequest,
                "a burst needs a representative; choose another one instead",
                asset: member.identifier)
        }
        if let other = try representative(of: burst) {
            try assets.update(other.row, ["represents_burst": false], of: other.identifier)
        }
        try assets.update(id, ["represents_burst": true], of: member.identifier)
    }

    private func representative(of burst: String) throws -> Representative? {
        try database.record(
            """
            SELECT id, uuid, trashed_date IS NOT NULL FROM asset
            WHERE burst_identifier = ? AND represents_burst = 1
            """,
            [burst], Representative.init)
    }

    private func member(_ id: Int64) throws -> Member {
        let member = try database.record(
            """
            SELECT uuid, burst_identifier, represents_burst, burst_selection_types
            FROM asset WHERE id = ?
            """, [id]
        ) { row in
            Member(
                identifier: try row.value(0), burst: try row.value(1),
                representsBurst: try row.value(2), selectionTypes: try row.value(3))
        }
        guard let member else {
            throw LibraryError(.damaged, "a row is missing; run edithost check")
        }
        return member
    }

    private static func notInBurst(_ member: Member) -> LibraryError {
        LibraryError(
            .invalidRequest, "not part of a burst", asset: member.identifier)
    }

    /// Throws `invalidRequest` if a burst identifier cannot be stored unchanged.
    static func requireValid(burst: String?, asset identifier: String) throws {
        guard let burst, PhotoMetadata.text(burst) != burst else { return }
        throw LibraryError(
            .invalidRequest,
            "the name of a burst must have 1 to \(PhotoMetadata.maximumTextLength) bytes "
                + "without control characters or white space around it",
            asset: identifier)
    }
}
