// SPDX-License-Identifier: Apache-2.0

import EditHost

extension GeneralOptions {
    /// Throws an error if only an extension offers a preset of this name.
    ///
    /// - Throws: `HostError` with the code `badRequest`.
    func requireOwn(_ name: String, in folder: PresetFolder) async throws {
        guard try !folder.contains(name) else { return }
        let offering = try await withHost { host in
            host.offeredPresets.filter { $0.preset.name == name }.map(\.extensionIdentifier)
        }
        guard let first = offering.first else { return }
        throw HostError(
            .badRequest,
            "the preset \"\(name)\" is part of \(first) and cannot be renamed or removed; to "
                + "make it your own, use preset export and preset import"
        )
    }
}
