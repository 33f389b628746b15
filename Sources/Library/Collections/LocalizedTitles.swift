// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetCollection {
    /// The title as it is shown, in English: an album's own, a smart album's, the day of a moment in
    /// words, `31 May 2024`. Nil where there is none: of a transient collection that was given none,
    /// and of a collection that had been deleted when it was read.
    public var localizedTitle: String? {
        guard !isRemoved, !title.isEmpty else { return nil }
        return type == .moment ? CalendarDay(text: title)?.words ?? title : title
    }
}

extension CollectionList {
    /// The title as it is shown; nil of a folder that had been deleted when it was read.
    public var localizedTitle: String? { isRemoved || title.isEmpty ? nil : title }
}

extension PhotoCollection {
    /// The title as it is shown; nil where there is none.
    public var localizedTitle: String? {
        switch self {
        case .assetCollection(let collection): collection.localizedTitle
        case .collectionList(let list): list.localizedTitle
        }
    }
}

extension CalendarDay {
    /// Reads `2024-05-31`.
    fileprivate init?(text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// `31 May 2024`.
    fileprivate var words: String { "\(day) \(Self.months[month - 1]) \(year)" }
}
