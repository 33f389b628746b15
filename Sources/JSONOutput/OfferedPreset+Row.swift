// SPDX-License-Identifier: Apache-2.0

import EditHost

extension OfferedPreset {
    /// The JSON of an extension's preset in `preset list`.
    package var row: JSONRow {
        ["name": preset.name, "extensions": [extensionIdentifier], "isOwn": false]
    }
}
