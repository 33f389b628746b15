// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// The source of the edits that are applied to assets.
public enum EditSource: Sendable {
    /// The enabled edits of another asset's current state.
    case asset(String)
    /// The edits of a preset.
    case preset(EditPreset)
    /// New edits, in the order of the edit stack. The first continues an asset's last edit if its extension can.
    case requests([EditRequest])
    /// The assets' own edits by one extension, reassigned to another one. If both names are the same extension, only
    /// edits whose recipes it upgrades, or whose data it finds again, are included.
    case edits(by: String, takenBy: String)

    /// The identifier of the asset that the edits come from, if they come from one.
    var asset: String? {
        if case .asset(let identifier) = self { identifier } else { nil }
    }
}
