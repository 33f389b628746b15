// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension Asset {
    /// The user-written metadata except keywords, with their names.
    var textFacts: [(String, String)] {
        let stars = rating.map { $0 < 0 ? "rejected" : String($0) }
        let facts = [
            ("title", title), ("description", descriptionText), ("creator", creator),
            ("copyright", copyright), ("label", label), ("rating", stars),
        ]
        return facts.compactMap { name, value in value.map { (name, $0) } }
    }

    /// A description of the photo's burst membership; `nil` if it is in no burst.
    var burstWords: String? {
        guard let burstIdentifier else { return nil }
        let roles = [
            (representsBurst, "representative"),
            (burstSelectionTypes.contains(.userPick), "picked"),
            (burstSelectionTypes.contains(.autoPick), "picked automatically"),
        ]
        return ([burstIdentifier] + roles.filter(\.0).map(\.1)).joined(separator: ", ")
    }

    /// Returns the heading of an asset among several: an empty line, unless it is the first, and its name.
    func heading(isFirst: Bool) -> [String] {
        (isFirst ? [] : [""]) + ["\(shortIdentifier)  \(originalFilename)"]
    }

    /// The shortened identifier for messages.
    var shortIdentifier: String { ShortIdentifier.of(localIdentifier) }
}
