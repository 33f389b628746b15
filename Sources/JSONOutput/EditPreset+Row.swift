// SPDX-License-Identifier: Apache-2.0

import EditHost

extension EditPreset {
    /// Returns the JSON of a user's own preset in `preset list`.
    package func row(named name: String) -> JSONRow {
        ["name": name, "extensions": steps.map(\.extensionIdentifier), "isOwn": true]
    }
}
