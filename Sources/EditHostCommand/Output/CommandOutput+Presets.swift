// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension CommandOutput {
    /// Prints a preset.
    func print(_ preset: EditPreset, named name: String) throws {
        let extensions = preset.steps.map(\.extensionIdentifier)
        try print(
            [
                "name": .string(name), "extensions": .array(extensions.map { .string($0) }),
                "isOwn": true,
            ],
            "\(name)  \(extensions.joined(separator: ", "))")
    }
}
