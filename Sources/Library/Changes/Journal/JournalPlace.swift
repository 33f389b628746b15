// SPDX-License-Identifier: Apache-2.0

/// The place of an album or folder in the journal.
struct JournalPlace: Hashable, Sendable {
    /// The rank in its folder.
    let rank: Int64
    /// The identifier of its folder; empty at the top level.
    let folder: String

    init(rank: Int64, folder: String) {
        self.rank = rank
        self.folder = folder
    }

    /// Parses a value of the journal; nil if it is not a place.
    init?(_ value: JournalValue) {
        guard let parts = value.text?.split(separator: ",", omittingEmptySubsequences: false),
            parts.count == 2, let rank = Int64(parts[0]), StoredValueLimits.ranks.contains(rank)
        else { return nil }
        self.init(rank: rank, folder: String(parts[1]))
    }

    /// The value for the journal.
    var value: JournalValue { .text("\(rank),\(folder)") }
}
