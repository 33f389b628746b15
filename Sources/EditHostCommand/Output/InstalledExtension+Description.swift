// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension InstalledExtension {
    /// Returns the JSON members that all extensions have.
    func row(reason: String?) -> JSONRow {
        [
            "identifier": identifier, "name": manifest?.name, "version": manifest?.version,
            "path": path, "status": status.rawValue, "reason": reason,
        ]
    }

    /// The cells of a table that all extensions have.
    var names: [String] {
        [identifier, manifest?.name ?? "-", manifest?.version ?? "-"]
    }
}
