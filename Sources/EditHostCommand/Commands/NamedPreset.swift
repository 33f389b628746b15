// SPDX-License-Identifier: Apache-2.0

import EditHost

/// A preset by name or path: the user's own one, otherwise one that an extension offers.
enum NamedPreset: Sendable {
    case own(EditPreset)
    case offered(OfferedPreset)

    /// - Throws: `HostError` if there is no such preset, or several extensions offer one.
    init(_ name: String, _ author: PresetAuthor, _ general: GeneralOptions) async throws {
        let configuration = GeneralOptions.standardConfiguration
        if author.extensionName == nil,
            try name.contains("/") || PresetFolder(configuration).contains(name)
        {
            self = .own(try PresetFolder.preset(namedOrAt: name, configuration))
            return
        }
        let offered = try await general.withHost { host in
            try host.offeredPreset(named: name, by: author.extensionName)
        }
        if let offered {
            self = .offered(offered)
        } else if let extensionName = author.extensionName {
            throw HostError(
                .badRequest,
                "\(extensionName) has no preset \"\(name)\"; run edithost preset "
                    + "list")
        } else {
            self = .own(try PresetFolder.preset(namedOrAt: name, configuration))
        }
    }
}
