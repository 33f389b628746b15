// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// Changes to an asset's texts and rating; nil leaves a property unchanged.
struct AssetTextChange: Sendable {
    var title: String??
    var descriptionText: String??
    var creator: String??
    var copyright: String??
    var label: String??
    var rating: Int??

    /// The new values, for validation.
    var texts: AssetTexts {
        AssetTexts(
            title: title ?? nil, descriptionText: descriptionText ?? nil,
            creator: creator ?? nil, copyright: copyright ?? nil, label: label ?? nil,
            rating: rating ?? nil)
    }

    /// The changed columns with their new values.
    var columns: [String: (any DatabaseValueConvertible)?] {
        var columns: [String: (any DatabaseValueConvertible)?] = [:]
        if let title { columns.updateValue(title, forKey: "title") }
        if let descriptionText { columns.updateValue(descriptionText, forKey: "description") }
        // An empty text records a removal; NULL may be a value that was never read.
        if let creator { columns.updateValue(creator ?? "", forKey: "creator") }
        if let copyright { columns.updateValue(copyright ?? "", forKey: "copyright") }
        if let label { columns.updateValue(label, forKey: "label") }
        if let rating { columns.updateValue(rating, forKey: "rating") }
        return columns
    }
}
