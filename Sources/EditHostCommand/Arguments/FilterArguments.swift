// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Foundation
import Library

extension MediaType: ExpressibleByArgument {
    /// Reads a medium's name.
    public init?(argument: String) {
        guard let type = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = type
    }

    /// The media, for help and completions.
    public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension MediaSubtype: ExpressibleByArgument {
    private static let all = (0..<Int.bitWidth - 1).map { MediaSubtype(rawValue: 1 << $0) }
        .filter { !$0.names.isEmpty }

    /// Reads a subtype's name.
    public init?(argument: String) {
        guard let subtype = Self.all.first(where: { $0.names == [argument] }) else { return nil }
        self = subtype
    }

    /// The subtypes, for help and completions.
    public static var allValueStrings: [String] { all.flatMap(\.names) }
}

/// A year, a month, a day, or a moment, of the Gregorian calendar.
struct MomentArgument: ExpressibleByArgument, Equatable {
    /// The moment, or the first of the period.
    let start: Date
    /// The first moment after the period; of a moment, itself.
    let end: Date
    /// Seconds east of UTC; nil where none was said.
    let offset: Int?
    /// Whether a day was said, and no time.
    let isDay: Bool

    /// Reads `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, this with `THH:MM[:SS[.fraction]]` and `Z` or `±HH:MM`
    /// after it.
    init?(argument: String) {
        if let period = Self.period(argument) {
            (start, end, offset, isDay) = (period.lowerBound, period.upperBound, nil, false)
            return
        }
        let form = #/(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(.*))?/#
        guard let match = argument.wholeMatch(of: form)?.output,
            let offset = Self.seconds(east: String(match.8 ?? ""))
        else { return nil }
        let (hour, minute, second) = (
            Self.number(match.4), Self.number(match.5), Self.number(match.6)
        )
        guard let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let date = CalendarDay(year: year, month: month, day: day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = date.daysSinceEpoch * 86400 + hour * 3600 + minute * 60 + second
        let fraction = match.7.flatMap { Double("0" + $0) } ?? 0
        start = Date(timeIntervalSince1970: Double(seconds) + fraction - Double(offset))
        self.offset = (match.8 ?? "").isEmpty ? nil : offset
        isDay = match.4 == nil
        end = isDay ? start.addingTimeInterval(86400) : start
    }

    /// A year or a month.
    private static func period(_ text: String) -> Range<Date>? {
        guard let match = text.wholeMatch(of: #/(\d{4})(?:-(\d\d))?/#)?.output,
            let year = Int(match.1), let month = match.2.map({ Int($0) }) ?? 1,
            let first = CalendarDay(year: year, month: month, day: 1)
        else { return nil }
        // The first day of the month after 31 days, or of the year after 366.
        let beyond = CalendarDay(daysSinceEpoch: first.daysSinceEpoch + (match.2 == nil ? 366 : 31))
        let next = beyond.daysSinceEpoch - beyond.day + 1
        return date(first.daysSinceEpoch)..<date(next)
    }

    private static func date(_ day: Int) -> Date {
        Date(timeIntervalSince1970: Double(day) * 86400)
    }

    private static func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }

    private static func seconds(east text: String) -> Int? {
        if text.isEmpty || text == "Z" { return 0 }
        guard let match = text.wholeMatch(of: #/([+-])(\d\d):(\d\d)/#)?.output,
            let hours = Int(match.2), let minutes = Int(match.3), hours < 24, minutes < 60
        else { return nil }
        return (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// What it is compared with: the moment where an offset was said, else the camera's clock.
    var key: AssetPredicate.DateKey { offset == nil ? .clock : .creation }

    /// That something is then or earlier; of a period, until its end.
    var orEarlier: AssetPredicate.ValueTest<Date> { end > start ? .lessThan(end) : .atMost(start) }
}

/// A position, and a distance from it.
struct NearArgument: ExpressibleByArgument {
    let location: Location
    let metres: Double

    /// Reads `LAT,LON,KM`.
    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
            let location = Location(latitude: latitude, longitude: longitude),
            let kilometres = numbers[2], (0...100_000).contains(kilometres)
        else { return nil }
        self.location = location
        metres = kilometres * 1000
    }
}

/// What to sort by, one after the other.
struct SortArgument: ExpressibleByArgument {
    let descriptors: [AssetSortDescriptor]

    private static let keys: KeyValuePairs<String, AssetSortDescriptor.Key> = [
        "date": .creationDate, "added": .addedDate, "modified": .modificationDate,
        "name": .originalFilename, "width": .pixelWidth, "height": .pixelHeight,
        "duration": .duration, "favorite": .isFavorite,
    ]

    /// The keys' names.
    static var names: [String] { keys.map(\.key) }

    /// Reads `KEY[:desc]`, and more after commas.
    init?(argument: String) {
        var descriptors: [AssetSortDescriptor] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard let key = Self.keys.first(where: { $0.key == words[0] })?.value,
                words.count == 1 || (words.count == 2 && ["asc", "desc"].contains(words[1]))
            else { return nil }
            descriptors.append(AssetSortDescriptor(key, isAscending: words.last != "desc"))
        }
        self.descriptors = descriptors
    }
}
