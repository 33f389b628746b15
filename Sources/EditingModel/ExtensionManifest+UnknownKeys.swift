// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension ExtensionManifest {
    /// The maximum number of unknown keys that are reported.
    package static let maximumUnknownKeys = 20

    /// Returns an error for every unknown key of a manifest, with its position and the most similar known key.
    ///
    /// Unknown keys do not invalidate a manifest, since a later version may define them.
    ///
    /// - Parameter json: The bytes that ``init(json:)`` accepted.
    /// - Returns: At most 20 errors, in alphabetical order within each object.
    public static func unknownKeys(in json: Data) -> [InvalidValueError] {
        guard json.count <= maximumSize,
            let found = try? JSONDecoder().decode(UnknownKeys.self, from: json)
        else { return [] }
        return found.errors.prefix(maximumUnknownKeys).map { $0.located(in: json) }
    }
}

/// The unknown keys of a manifest, collected while walking the known ones.
private struct UnknownKeys: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// JSON editors read the address of the schema from this key.
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
                let closest = name.closest(among: known.keys.sorted())
                errors.append(
                    .manifest(prefix + name, "is unknown and ignored\(closest.suggestion)"))
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

    /// A list element without keys, such as a choice that is a string.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}
