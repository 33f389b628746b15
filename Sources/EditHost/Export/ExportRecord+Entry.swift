// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension ExportRecord {
    /// One file.
    struct File: Codable, Equatable {
        /// Its path below the folder.
        let name: FileName
        let hash: SHA256Digest
        let size: Int
        /// When it was modified, in nanoseconds since 1970.
        let modified: Int
        /// Whether it was there before, as it would have been written, so that no export may replace or remove it; nil: no.
        var wasThere: Bool?
    }

    /// What the files of an asset depend on, each part as a hash.
    struct Key: Codable, Equatable {
        /// What it shows.
        let content: String
        /// What its files say of it.
        let metadata: String
        /// How it is exported.
        let settings: String
    }

    /// What an entry is of: several variants of an asset can be in one folder, such as its original and its current picture.
    struct Subject: Hashable, Codable {
        let library: String
        let asset: String
        let variant: String
    }

    /// What was written of an asset.
    struct Entry: Codable {
        let subject: Subject
        let key: Key
        /// The number that its names have; 0: none.
        let number: Int
        /// The asset's own first. None: it is forgotten.
        let files: [File]
        /// The hashes of what was there before: until the files have their names it still is.
        let earlier: [SHA256Digest]
        /// What is there of earlier exports under names that these do not have, until it is pruned.
        let leaving: [File]
        /// Whether an export of the library is known to have written it. If not, what it says may suffice to write nothing, and
        /// never to replace or remove something.
        var isProven = false

        private enum CodingKeys: String, CodingKey {
            case subject, key, number, files, earlier, leaving
        }
    }
}

extension ExportRecord.Entry {
    /// Whether its names lead nowhere but below the folder.
    var isSound: Bool {
        number >= 0 && number < Int(Int32.max)
            && (files + leaving).allSatisfy { file in
                file.size >= 0 && Self.isSound(file.name)
            }
            && Set(files.map(\.name)).count == files.count
    }

    /// Each component has to be one.
    private static func isSound(_ name: FileName) -> Bool {
        let components = name.text.pathComponents
        return components.count <= ExportNameTemplate.maximumDepth
            && components.allSatisfy {
                (1...SafeFilename.maximumBytes).contains($0.pathBytes.count) && $0 != "."
                    && $0 != ".."
                    && !$0.utf8.starts(with: ".edithost".utf8) && !$0.utf8.contains(0)
            }
    }
}
