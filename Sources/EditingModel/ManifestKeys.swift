// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Which keys a part of a manifest can have, and what lies under them.
package indirect enum ManifestKeys: Sendable {
    /// Anything, or something without keys of its own.
    case any
    /// A list of such parts.
    case list(ManifestKeys)
    /// An object with these keys and no others.
    case object([String: ManifestKeys])

    /// The keys that a decoder reads, with what lies under some of them.
    private static func object<Key: CodingKey & CaseIterable>(
        _ keys: Key.Type, _ parts: [String: ManifestKeys] = [:]
    ) -> ManifestKeys {
        var all: [String: ManifestKeys] = [:]
        for key in keys.allCases { all[key.stringValue] = parts[key.stringValue] ?? .any }
        return .object(all)
    }

    /// Those of a whole manifest, made of the keys that the decoders read.
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

extension ExtensionManifest {
    /// How many unknown keys are named at most.
    package static let maximumUnknownKeys = 20

    /// The keys in the bytes of a manifest that this version does not know, each as an error that
    /// says where it stands and, where one is near, which key is likely meant. A manifest is read
    /// all the same: the key may be one of a later version.
    ///
    /// - Parameter json: what ``init(json:)`` has read.
    /// - Returns: in alphabetical order within each object, the first 20.
    public static func unknownKeys(in json: Data) -> [InvalidValueError] {
        guard json.count <= maximumSize,
            let found = try? JSONDecoder().decode(UnknownKeys.self, from: json)
        else { return [] }
        return found.errors.prefix(maximumUnknownKeys).map { $0.located(in: json) }
    }
}

/// The keys of a manifest that are not known, found by walking what is.
private struct UnknownKeys: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// For editors of JSON, which take the schema's address from it.
    private static let ignored: Set = ["$schema"]

    private(set) var errors: [InvalidValueError] = []

    init(from decoder: any Decoder) throws {
        guard case .object(let known) = ManifestKeys.manifest else { return }
        collect(in: try decoder.container(keyedBy: Key.self), known, path: "")
    }

    private mutating func collect(
        in values: KeyedDecodingContainer<Key>, _ known: [String: ManifestKeys], path: String
    ) {
        let prefix = path.isEmpty ? "" : "\(path)."
        for name in values.allKeys.map(\.stringValue).sorted() {
            guard errors.count < ExtensionManifest.maximumUnknownKeys else { return }
            guard let part = known[name] else {
                if path.isEmpty, Self.ignored.contains(name) { continue }
                let meant = name.closest(among: known.keys.sorted())
                errors.append(
                    .manifest(prefix + name, "is unknown and ignored\(meant.suggestion)"))
                continue
            }
            switch part {
            case .any: break
            case .object(let inner):
                if let values = try? values.nestedContainer(
                    keyedBy: Key.self, forKey: Key(name))
                {
                    collect(in: values, inner, path: prefix + name)
                }
            case .list(let element):
                if var list = try? values.nestedUnkeyedContainer(forKey: Key(name)) {
                    collect(in: &list, element, path: prefix + name)
                }
            }
        }
    }

    private mutating func collect(
        in list: inout any UnkeyedDecodingContainer, _ element: ManifestKeys, path: String
    ) {
        guard case .object(let known) = element else { return }
        while !list.isAtEnd {
            let path = "\(path)[\(list.currentIndex)]"
            if let values = try? list.nestedContainer(keyedBy: Key.self) {
                collect(in: values, known, path: path)
            } else if (try? list.decode(Anything.self)) == nil {
                return
            }
        }
    }

    /// What has no keys in a list, such as a choice that is a string.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}
