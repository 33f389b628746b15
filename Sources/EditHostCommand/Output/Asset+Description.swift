// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library

extension Asset {
    /// The JSON members that `list` prints, and `show` before the edits.
    var row: JSONRow {
        [
            "id": localIdentifier,
            "mediaType": mediaType.name,
            "mediaSubtypes": mediaSubtypes.names,
            "pixelWidth": pixelWidth,
            "pixelHeight": pixelHeight,
            "creationDate": captureDate?.text,
            "modificationDate": modificationDate.universalText,
            "location": location,
            "duration": duration,
            "isFavorite": isFavorite,
            "isHidden": isHidden,
            "burstIdentifier": burstIdentifier,
            "filename": originalFilename,
            "filenameBytes": originalFilename.undecodedBytes,
            "adjustmentFormatIdentifier": adjustmentFormatIdentifier,
        ]
    }

    /// Returns the JSON members that only `show` prints.
    func detailRow(keywords: [String]) -> JSONRow {
        let isKnown = cameraMake != nil || cameraModel != nil
        let camera: JSONRow = ["make": cameraMake, "model": cameraModel]
        return [
            "representsBurst": representsBurst,
            "burstSelectionTypes": burstSelectionTypes.names,
            "keywords": keywords,
            "title": title,
            "description": descriptionText,
            "label": label,
            "rating": rating,
            "exposureTime": exposureTime,
            "camera": isKnown ? camera : nil,
            "lens": lensModel,
            "contentIdentifier": contentIdentifier,
        ]
    }

    /// The user-written metadata except keywords, with their names.
    var textFacts: [(String, String)] {
        let stars = rating.map { $0 < 0 ? "rejected" : String($0) }
        let facts = [
            ("title", title), ("description", descriptionText), ("label", label),
            ("rating", stars),
        ]
        return facts.compactMap { name, value in value.map { (name, $0) } }
    }

    /// A description of the photograph's burst membership; `nil` if it is in no burst.
    var burstWords: String? {
        guard let burstIdentifier else { return nil }
        let roles = [
            (representsBurst, "representative"),
            (burstSelectionTypes.contains(.userPick), "picked"),
            (burstSelectionTypes.contains(.autoPick), "picked automatically"),
        ]
        return ([burstIdentifier] + roles.filter(\.0).map(\.1)).joined(separator: ", ")
    }

    /// The shortened identifier for messages.
    var shortIdentifier: String { ShortIdentifier.of(localIdentifier) }
}

extension AssetBurstSelectionType {
    /// The names of the selection types.
    fileprivate var names: [String] {
        let all: [(Self, String)] = [(.autoPick, "autoPick"), (.userPick, "userPick")]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension Date {
    /// The moment in UTC as RFC 3339.
    var universalText: String { CaptureDate(date: self, offset: nil).text + "Z" }
}
