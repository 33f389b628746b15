// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

extension Asset {
    /// The JSON members that `list` prints, and `show` before the edits.
    package var row: JSONRow {
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
            "folder": originalFolder,
            "folderBytes": originalFolder?.undecodedBytes,
            "adjustmentFormatIdentifier": adjustmentFormatIdentifier,
        ]
    }

    /// The JSON members that `trash list` prints.
    package var trashRow: JSONRow {
        row.adding([
            "trashedDate": trashedDate?.universalText, "removalDate": removalDate?.universalText,
        ])
    }

    /// The date after which `prune` removes the asset for good; nil outside the trash.
    package var removalDate: Date? {
        trashedDate?.addingTimeInterval(Double(TrashPeriod.days) * 86_400)
    }

    /// Returns the JSON members that only `show` prints.
    ///
    /// - Parameter keywords: The keywords with their places in hierarchies.
    package func detailRow(keywords: [String]) -> JSONRow {
        let isKnown = cameraMake != nil || cameraModel != nil
        let camera: JSONRow = ["make": cameraMake, "model": cameraModel]
        return [
            "representsBurst": representsBurst,
            "burstSelectionTypes": burstSelectionTypes.names,
            "keywords": KeywordPath.names(of: keywords),
            "keywordPaths": keywords.filter { KeywordPath($0).isNested },
            "title": title,
            "description": descriptionText,
            "creator": creator,
            "copyright": copyright,
            "label": label,
            "rating": rating,
            "exposureTime": exposureTime,
            "camera": isKnown ? camera : nil,
            "lens": lensModel,
            "contentIdentifier": contentIdentifier,
        ]
    }
}

extension AssetBurstSelectionType {
    /// The names of the selection types.
    fileprivate var names: [String] {
        let all: [(Self, String)] = [(.autoPick, "autoPick"), (.userPick, "userPick")]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
