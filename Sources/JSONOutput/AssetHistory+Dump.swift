// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library

extension AssetHistory {
    /// Returns the JSON that `dump` prints: what the library stores about the asset, with all recipes.
    ///
    /// - Parameters:
    ///   - resources: The files of the asset.
    ///   - albums: The albums that contain it.
    ///   - staleness: The result of a dry run of a re-render; `nil` if it is not known.
    package func dumpRow(
        keywords: [String], resources: [AssetResource], albums: [AssetCollection],
        staleness: RerenderResult?, in library: PhotoLibrary
    ) -> JSONRow {
        let place = original.map { library.availability(of: $0) } ?? .absent
        let originalRow: JSONRow = [
            "state": place.rawValue, "isLocal": place.isLocal, "url": original?.url,
            "hash": original?.contentHash?.hex,
        ]
        let isStale: Bool? =
            switch staleness?.status {
            case .stale, .rendered: true
            case .upToDate: false
            case .failed, nil: nil
            }
        return asset.row.adding(asset.detailRow(keywords: keywords)).adding([
            "added": asset.addedDate.universalText,
            "video": original?.facts?.video?.row, "editLoss": editLoss,
            "original": originalRow,
            "resources": resources.map { $0.row(in: library) },
            "albums": albums.map { ["id": $0.localIdentifier, "title": $0.title] as JSONRow },
            "edits": allEdits.map(\.recipeRow),
            "state": position,
            "states": states.map(\.dumpRow),
            "versions": versions.map(\.dumpRow),
            "isStale": isStale,
            "staleReason": isStale == false ? nil : staleness?.reason,
        ])
    }

    /// The edits of all states and versions, each after the one below it.
    private var allEdits: [Edit] {
        var seen: Set<String> = []
        var found: [Edit] = []
        for chain in states.map(\.chain) + versions.map(\.chain) {
            for edit in chain where seen.insert(edit.identifier).inserted { found.append(edit) }
        }
        return found
    }
}

extension AssetState {
    fileprivate var dumpRow: JSONRow {
        ["state": position, "edit": tip?.identifier, "date": createdDate.universalText]
    }
}

extension AssetVersion {
    fileprivate var dumpRow: JSONRow {
        ["version": name, "edit": tip?.identifier, "date": createdDate.universalText]
    }
}

extension Edit {
    /// The JSON of the edit with its recipe, as text or, if that is not UTF-8, in base64.
    fileprivate var recipeRow: JSONRow {
        let text = String(bytes: adjustmentData.data, encoding: .utf8)
        return row(nil).adding([
            "below": parentIdentifier, "recipe": text,
            "recipeBytes": text == nil ? adjustmentData.data.base64EncodedString() : nil,
        ])
    }
}
