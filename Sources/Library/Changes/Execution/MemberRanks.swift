// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Row {
    /// Reads a rank, which orders the members of an album or folder; nil for NULL.
    func rank(_ index: Int) throws -> Int64? {
        guard let rank = try value(index, as: Int64?.self) else { return nil }
        guard StoredValueLimits.ranks.contains(rank) else { throw damage(at: index) }
        return rank
    }
}

/// Allocates the ranks that order the members of an album. Gaps between ranks allow insertion
/// without renumbering the album.
enum MemberRanks {
    /// The initial distance between neighbours.
    static let gap: Int64 = 1 << 20

    /// Returns ascending ranks between two bounds; nil if they do not fit.
    ///
    /// - Parameters:
    ///   - low: The exclusive lower bound; nil at the start.
    ///   - high: The exclusive upper bound; nil at the end.
    ///   - distance: The minimum distance between neighbours, bounds included.
    static func ranks(
        _ count: Int, above low: Int64?, below high: Int64?, distance: Int64
    ) -> [Int64]? {
        let count = Int64(count)
        switch (low, high) {
        case (nil, nil): return (0..<count).map { $0 * gap }
        case (let low?, nil): return (1...max(1, count)).map { low + $0 * gap }
        case (nil, let high?): return (0..<count).map { high - (count - $0) * gap }
        case (let low?, let high?):
            let step = (high - low) / (count + 1)
            return step < distance ? nil : (1...max(1, count)).map { low + $0 * step }
        }
    }
}
