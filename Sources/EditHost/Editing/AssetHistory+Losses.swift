// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension AssetHistory {
    /// The end of ``editLoss``, which applies only to photos in a library.
    static let revertAdvice = "; use revert to restore it"

    /// A sentence that lists the parts of the original that edited pictures do not include, or nil if there are none.
    /// The original keeps them.
    package var editLoss: String? {
        var losses = original?.facts?.losses ?? []
        if hasRAW { losses.append("the RAW file") }
        guard let last = losses.popLast() else { return nil }
        let words = losses.isEmpty ? last : losses.joined(separator: ", ") + " and \(last)"
        return "edited pictures do not include \(words); the original keeps "
            + (losses.isEmpty ? "it" : "them") + Self.revertAdvice
    }

    /// The same sentence, as a warning of a first edit. Nil if the picture already has enabled edits.
    var newEditLoss: String? { chain.contains(where: \.isEnabled) ? nil : editLoss }

    private var hasRAW: Bool {
        originals.contains { $0.type == .alternatePhoto }
    }
}
