// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// A list of extensions that can be downloaded: the file `index.json`, which may be untrusted.
package struct ExtensionIndex: Sendable {
    /// A version of an extension.
    package struct Entry: Sendable {
        package let identifier: String
        package let version: String
        /// The path or URL of the archive.
        package let location: String
        /// The SHA-256 of the archive.
        package let sha256: SHA256Digest
    }

    private struct StoredEntry: Decodable {
        let identifier: String
        let version: String
        let url: String
        let sha256: String
        let minimumHost: String?
    }

    private struct Stored: Decodable { let extensions: [StoredEntry] }

    /// The maximum size of an index in bytes: 4 MiB.
    package static let maximumSize = 4 << 20

    /// The versions that this host can run.
    package let entries: [Entry]

    /// Decodes an index.
    ///
    /// - Parameters:
    ///   - json: Its bytes.
    ///   - place: Its path, or its `https` URL. The locations of archives are relative to it.
    /// - Throws: `HostError` with `badInput`.
    package init(_ json: Data, from place: String) throws {
        guard json.count <= Self.maximumSize else {
            throw Self.invalid(place, "it is larger than \(Self.maximumSize >> 20) MiB")
        }
        let stored: Stored
        do {
            stored = try JSONDecoder().decode(Stored.self, from: json)
        } catch {
            throw Self.invalid(
                place, "it is not JSON with a list \"extensions\" of complete entries")
        }
        entries = try stored.extensions.compactMap { entry in
            guard entry.identifier.isName, entry.version.isName,
                let sha256 = SHA256Digest(hex: entry.sha256),
                let location = Self.location(entry.url, relativeTo: place)
            else { throw Self.invalid(place, "its entry \(entry.identifier) is not valid") }
            if let minimum = entry.minimumHost, !HostVersion.isAtLeast(minimum) { return nil }
            return Entry(
                identifier: entry.identifier, version: entry.version, location: location,
                sha256: sha256)
        }
    }

    /// Returns the newest version of an extension that is newer than the given one; nil if there is none.
    package func update(of identifier: String, version: String) -> Entry? {
        let newer = entries.filter {
            $0.identifier == identifier && Self.isNewer($0.version, than: version)
        }
        return newer.max { Self.isNewer($1.version, than: $0.version) }
    }

    /// Returns the path or URL of an archive; nil if it is neither an `https` URL nor relative to the index.
    private static func location(_ url: String, relativeTo place: String) -> String? {
        if url.lowercased().hasPrefix("https://") { return url }
        guard !url.isEmpty, !url.hasPrefix("/"), !url.utf8.contains(UInt8(ascii: ":")) else {
            return nil
        }
        guard place.lowercased().hasPrefix("https://") else {
            return "\((place as NSString).deletingLastPathComponent)/\(url)"
        }
        let resolved = URL(string: url, relativeTo: URL(string: place))?.absoluteURL
        return resolved?.scheme?.lowercased() == "https" ? resolved?.absoluteString : nil
    }

    private static func invalid(_ place: String, _ what: String) -> HostError {
        HostError(.badInput, "the index \(place) cannot be used: \(what)")
    }
}
