// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension InstalledExtension {
    /// The cells of a table that all extensions have.
    var names: [String] {
        [identifier, manifest?.name ?? "-", manifest?.version ?? "-"]
    }
}
