// SPDX-License-Identifier: Apache-2.0

/// The allowed keys of a part of a manifest, including nested ones.
package indirect enum ManifestKeys: Sendable {
    /// Any value, or a value without keys.
    case any
    /// An array of such parts.
    case list(ManifestKeys)
    /// An object with exactly these allowed keys.
    case object([String: ManifestKeys])

    /// Returns the keys that a decoder reads, with the nested keys of some of them.
    private static func object<Key: CodingKey & CaseIterable>(
        _ keys: Key.Type, _ parts: [String: ManifestKeys] = [:]
    ) -> ManifestKeys {
        var all: [String: ManifestKeys] = [:]
        for key in keys.allCases { all[key.stringValue] = parts[key.stringValue] ?? .any }
        return .object(all)
    }

    /// The keys of a complete manifest, derived from the coding keys of the decoders.
    package static let manifest: ManifestKeys = {
        let formats = ManifestKeys.list(.object(AdjustmentFormat.CodingKeys.self))
        let parameter = ManifestKeys.object(
            ExtensionParameter.CodingKeys.self,
            [
                "choices": .list(.object(ParameterChoice.CodingKeys.self)),
                "visibleWhen": .object(ParameterCondition.CodingKeys.self),
            ])
        return .object(
            ExtensionManifest.CodingKeys.self,
            [
                "reads": formats, "writes": formats, "upgrades": formats,
                "parameters": .list(parameter),
                "presets": .list(.object(ParameterPreset.CodingKeys.self)),
            ])
    }()
}
