// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Foundation

/// The snapshots of a backup to keep, such as `7d,4w,12m`.
struct SnapshotRetention: ExpressibleByArgument {
    /// A period of which the newest snapshot is kept.
    private enum Period: Character, CaseIterable {
        case day = "d"
        case week = "w"
        case month = "m"
        case year = "y"

        /// Returns a number that only dates of the same period share.
        ///
        /// - Parameter offset: The offset of local time from UTC at that date, in seconds.
        func number(of date: Date, offset: Int) -> Int {
            let seconds = date.timeIntervalSince1970 + Double(offset)
            // Dates of snapshots have a year of four digits.
            let days = Int((seconds / 86_400).rounded(.down))
            let day = CalendarDay(daysSinceEpoch: days)
            return switch self {
            case .day: days
            // 1970-01-01 was a Thursday. Weeks begin on Monday.
            case .week: Int((Double(days + 3) / 7).rounded(.down))
            case .month: day.year * 12 + day.month
            case .year: day.year
            }
        }
    }

    /// The number of periods of which a snapshot is kept.
    private var counts: [Period: Int] = [:]
    /// The number of newest snapshots that are kept in any case; nil for one.
    private var newest: Int?

    /// Parses numbers separated by commas, each followed by `d`, `w`, `m` or `y`. A number without
    /// one is the number of newest snapshots to keep.
    init?(argument: String) {
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let period = part.last.flatMap(Period.init)
            guard let count = Int(period == nil ? part : part.dropLast()), count > 0 else {
                return nil
            }
            if let period {
                guard counts.updateValue(count, forKey: period) == nil else { return nil }
            } else {
                guard newest == nil else { return nil }
                newest = count
            }
        }
    }

    /// Returns the dates of the snapshots to keep, which always include the newest.
    ///
    /// - Parameter offset: Returns the offset of local time from UTC at a date, in seconds. By default, it is that of
    ///   this computer.
    func kept(of dates: [Date], offset: (Date) -> Int = \.localOffset) -> Set<Date> {
        let dates = dates.sorted(by: >)
        var kept = Set(dates.prefix(newest ?? 1))
        for (period, count) in counts {
            // If clocks are put back over midnight, a day is interrupted by the end of the day before.
            var numbers: Set<Int> = []
            for date in dates where numbers.count < count {
                if numbers.insert(period.number(of: date, offset: offset(date))).inserted {
                    kept.insert(date)
                }
            }
        }
        return kept
    }
}
