// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension InstalledExtension {
    /// Returns the JSON members that all extensions have.
    func jsonMembers(reason: String?) -> [(key: String, value: JSONValue)] {
        [
            ("identifier", .string(identifier)), ("name", JSONValue(manifest?.name)),
            ("version", JSONValue(manifest?.version)), ("path", .string(path)),
            ("status", .string(status.rawValue)), ("reason", JSONValue(reason)),
        ]
    }

    /// The cells of a table that all extensions have.
    var names: [String] {
        [identifier, manifest?.name ?? "-", manifest?.version ?? "-"]
    }
}
