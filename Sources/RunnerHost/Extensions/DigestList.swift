// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Synchronization

/// A list of extensions by digest (``ExtensionBinary/digest``) and identifier, stored as one JSON object per
/// line.
///
/// Lines in the format of `sha256sum`, from earlier versions, are read too. An unreadable file is an empty
/// list.
final class DigestList: Sendable {
    private let file: String?
    private let entries: Mutex<[SHA256Digest: String]>

    /// - Parameter file: the file of the list; nil: entries last as long as this object.
    init(file: String?) {
        self.file = file
        entries = Mutex(file.map(Self.read) ?? [:])
    }

    func contains(_ digest: SHA256Digest) -> Bool { entries.withLock { $0[digest] } != nil }

    /// Whether the list contains a build of an extension.
    func names(_ identifier: String) -> Bool {
        entries.withLock { $0.values.contains(identifier) }
    }

    /// Adds a build of an extension, replacing other builds of it.
    ///
    /// - Throws: `HostError` with `fileFailed`. In that case, the list is unchanged.
    func add(_ digest: SHA256Digest, of identifier: String) throws {
        try change { entries in
            entries = entries.filter { $0.value != identifier }
            entries[digest] = identifier
        }
    }

    /// Removes every build of an extension.
    ///
    /// - Returns: whether there was a build to remove.
    /// - Throws: `HostError` with `fileFailed`. In that case, the list is unchanged.
    func remove(_ identifier: String) throws -> Bool {
        var found = false
        try change { entries in
            found = entries.values.contains(identifier)
            entries = entries.filter { $0.value != identifier }
        }
        return found
    }

    private func change(_ body: (inout [SHA256Digest: String]) -> Void) throws {
        try entries.withLock { entries in
            guard let file else { return body(&entries) }
            var changed: [SHA256Digest: String] = [:]
            try SharedFile(path: file).replace { stored in
                changed = Self.parse(stored)
                body(&changed)
                return try Self.encoded(changed)
            }
            entries = changed
        }
    }

    /// The entries of a file.
    static func read(_ path: String) -> [SHA256Digest: String] {
        guard let file = try? OpenFile.readingRegularFile(path),
            let text = try? file.read(count: SharedFile.maximumBytes)
        else { return [:] }
        return parse(text)
    }

    private struct Record: Codable {
        /// 64 hexadecimal digits.
        let digest: String
        let identifier: String
    }

    private static func encoded(_ entries: [SHA256Digest: String]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try entries.sorted { $0.key.hex < $1.key.hex }.reduce(into: Data()) { file, entry in
            file += try encoder.encode(Record(digest: entry.key.hex, identifier: entry.value))
            file.append(UInt8(ascii: "\n"))
        }
    }

    private static func parse(_ file: Data) -> [SHA256Digest: String] {
        var found: [SHA256Digest: String] = [:]
        let decoder = JSONDecoder()
        // Split by bytes: names in lists of earlier versions may contain other line separators.
        for line in file.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "{") {
                guard let record = try? decoder.decode(Record.self, from: line),
                    let digest = SHA256Digest(hex: record.digest)
                else { continue }
                found[digest] = record.identifier
            } else {
                let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
                    .map { String(decoding: $0, as: UTF8.self) }
                guard parts.count == 2, let hash = SHA256Digest(hex: parts[0]) else { continue }
                found[hash] = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " *"))
            }
        }
        return found
    }
}
