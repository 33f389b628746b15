// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Row {
    /// What orders the members of an album, or what lies in a folder; nil for NULL.
    func rank(_ index: Int) throws -> Int64? {
        guard let rank = try value(index, as: Int64?.self) else { return nil }
        guard Limits.ranks.contains(rank) else { throw damage(at: index) }
        return rank
    }
}

/// The numbers that order the members of an album. There are gaps between them, so that one can
/// be put between two others without numbering the album anew.
enum MemberRanks {
    /// The distance of neighbours where nothing was put between them.
    static let gap: Int64 = 1 << 20

    /// Ascending ranks between two others; nil where there are not so many.
    ///
    /// - Parameters:
    ///   - low: what they have to be above; nil where they come first.
    ///   - high: what they have to be below; nil where they come last.
    ///   - distance: how far they have to be from each other and from these at least.
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
