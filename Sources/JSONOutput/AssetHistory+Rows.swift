// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension AssetHistory {
    /// Returns the JSON of a state. State 0 is the original.
    package func row(ofPosition position: Int, _ values: [String: EditValues]) -> JSONRow {
        let state = position == 0 ? nil : states[position - 1]
        return [
            "id": asset.localIdentifier,
            "edit": state?.tip?.identifier,
            "extension": state?.tip?.editingExtension?.identifier,
            "state": position,
            "error": nil,
            "isCurrent": position == self.position,
            "edits": (state?.chain ?? []).map(\.identifier),
            "date": (state?.createdDate ?? asset.addedDate).universalText,
            "values": state?.tip.flatMap { values[$0.identifier] }?.known,
        ]
    }

    /// Returns the edits of a state; empty for the original and for an invalid state.
    package func chain(ofPosition position: Int) -> [Edit] {
        states.first { $0.position == position }?.chain ?? []
    }

    /// Returns the JSON that `show` prints.
    ///
    /// - Parameters:
    ///   - keywords: The keywords of the asset.
    ///   - place: The location of the original.
    ///   - values: The parameter values of the current edits, by their identifiers.
    package func detailRow(
        keywords: [String], place: AssetResourceAvailability, values: [String: EditValues]
    ) -> JSONRow {
        let original: JSONRow = [
            "state": place.rawValue, "isLocal": place.isLocal, "url": self.original?.url,
        ]
        return asset.row.adding(asset.detailRow(keywords: keywords)).adding([
            "video": self.original?.facts?.video?.row, "editLoss": editLoss,
            "original": original, "edits": chain.map { $0.row(values[$0.identifier]) },
        ])
    }

    /// Returns the JSON of a version in `version list`.
    package func row(of version: AssetVersion) -> JSONRow {
        [
            "id": asset.localIdentifier, "version": version.name,
            "edits": version.chain.map(\.identifier),
            "extensions": version.chain.map(\.author),
            "isCurrent": version.tip?.identifier == chain.last?.identifier,
            "date": version.createdDate.universalText, "error": nil,
        ]
    }

    /// Returns the JSON that `undo`, `redo` and `revert` print.
    package var positionRow: JSONRow {
        let tip = chain.last
        return [
            "id": asset.localIdentifier,
            "edit": tip?.identifier,
            "extension": tip?.editingExtension?.identifier,
            "state": position,
            "error": nil,
        ]
    }
}
