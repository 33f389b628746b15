// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetCollection {
    /// The displayed title, in English: the title of an album or a smart album, or the day of a
    /// moment as `31 May 2024`. Nil for an untitled transient collection and for a collection that
    /// was deleted before it was read.
    public var localizedTitle: String? {
        guard !isRemoved, !title.isEmpty else { return nil }
        return type == .moment ? CalendarDay(text: title)?.words ?? title : title
    }
}

extension CalendarDay {
    /// Parses a day in the form `2024-05-31`.
    fileprivate init?(text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// The day in the form `31 May 2024`.
    fileprivate var words: String { "\(day) \(Self.months[month - 1]) \(year)" }
}
