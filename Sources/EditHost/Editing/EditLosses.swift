// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension AssetHistory {
    /// What of the original the first edit leaves out of the picture, as a sentence; nil: nothing. The original
    /// keeps it.
    package var editLoss: String? {
        var losses = original?.facts?.losses ?? []
        if hasRAW { losses.append("the RAW file") }
        guard let last = losses.popLast() else { return nil }
        let words = losses.isEmpty ? last : losses.joined(separator: ", ") + " and \(last)"
        return "edited pictures do not include \(words); the original keeps "
            + (losses.isEmpty ? "it" : "them") + "; use revert to restore it"
    }

    /// The same as a warning of an edit; nil also if the picture had edits before.
    var newEditLoss: String? { chain.contains(where: \.isEnabled) ? nil : editLoss }

    private var hasRAW: Bool {
        originals.contains { $0.type == .alternatePhoto }
    }
}
