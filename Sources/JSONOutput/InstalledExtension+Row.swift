// SPDX-License-Identifier: Apache-2.0

import EditHost

extension InstalledExtension {
    /// Returns the JSON members that all extensions have.
    package func row(reason: String?) -> JSONRow {
        [
            "identifier": identifier, "name": manifest?.name, "version": manifest?.version,
            "path": path, "status": status.rawValue, "reason": reason,
        ]
    }
}
