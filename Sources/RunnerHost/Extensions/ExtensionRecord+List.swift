// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension ExtensionRecord {
    /// The entries of a list of the build. An unreadable file is an empty list.
    static func list(_ path: String, as kind: Kind) -> [ExtensionRecord] {
        list((try? SharedFile(path: path).content()) ?? Data(), as: kind)
    }

    /// The entries of a list of the build or of an earlier version: lines in the format of `sha256sum`, or objects
    /// without a kind.
    static func list(_ file: Data, as kind: Kind) -> [ExtensionRecord] {
        struct Object: Decodable {
            @HexDigest var digest: SHA256Digest
            let identifier: String
        }
        let decoder = JSONDecoder()
        // Split by bytes: names may contain other line separators.
        return file.split(separator: UInt8(ascii: "\n")).compactMap { line in
            if line.first == UInt8(ascii: "{") {
                return (try? decoder.decode(Object.self, from: line)).map {
                    ExtensionRecord(kind: kind, digest: $0.digest, identifier: $0.identifier)
                }
            }
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
                .map { String(decoding: $0, as: UTF8.self) }
            guard parts.count == 2, let digest = SHA256Digest(hex: parts[0]) else { return nil }
            let name = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " *"))
            return ExtensionRecord(kind: kind, digest: digest, identifier: name)
        }
    }
}
