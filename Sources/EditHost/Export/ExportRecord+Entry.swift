// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension ExportRecord {
    /// A file in the record.
    struct File: Codable, Equatable {
        /// The path of the file, relative to the export folder.
        let name: FileName
        let hash: SHA256Digest
        let size: Int
        /// The modification time, in nanoseconds since 1970.
        let modified: Int
        /// Whether an identical file existed before the export, so that no export may replace or remove it. Nil
        /// means no.
        var wasThere: Bool?
    }

    /// Hashes of everything that the files of an asset depend on.
    struct Key: Codable, Equatable {
        /// A hash of what determines the pixels, and of the imported filename.
        let content: String
        /// A hash of the metadata written to the files, and of the names from a template.
        let metadata: String
        /// A hash of the export settings.
        let settings: String
    }

    /// The key of an entry. A folder can contain several variants of an asset, such as its original and its
    /// current version.
    struct Subject: Hashable, Codable {
        let library: String
        let asset: String
        let variant: String
    }

    /// The stored picture of an edited asset at the time of the export, from which a later export finds why it differs.
    struct RenderedVersion: Codable, Equatable {
        /// The build of an extension.
        struct Build: Codable, Equatable {
            let `extension`: String
            let version: String
            /// The first digits of the hash of its binary.
            let binary: String
        }

        /// The identifier of the last edit.
        let edit: String
        /// The first digits of the picture's hash.
        let picture: String
        /// The builds that rendered the exported picture, without duplicates.
        var builds: [Build]
    }

    /// The exported files of an asset.
    struct Entry: Codable {
        let subject: Subject
        let key: Key
        /// The number in the names; 0 means none.
        let number: Int
        /// The files, the asset's own first. An empty list deletes the subject.
        let files: [File]
        /// The hashes of the replaced files, which are in place until the new files are renamed.
        let earlier: [SHA256Digest]
        /// Files of earlier exports under other names, until they are pruned.
        let leaving: [File]
        /// The exported picture; nil for an original, or if the entry was written by an earlier version.
        var renderedVersion: RenderedVersion?
        /// Whether it is proven that an export of the library wrote the entry.
        ///
        /// An unproven entry may cause files to be skipped, but never to be replaced or removed.
        var isProven = false

        private enum CodingKeys: String, CodingKey {
            case subject, key, number, files, earlier, leaving
            case renderedVersion = "look"
        }
    }
}

extension ExportRecord.Entry {
    /// Whether its numbers are in range and its names are distinct and stay inside the folder.
    var isSound: Bool {
        number >= 0 && number < Int(Int32.max)
            && (files + leaving).allSatisfy { file in
                file.size >= 0 && Self.isSound(file.name)
            }
            && Set(files.map(\.name)).count == files.count
    }

    /// Rejects paths with a component that is empty, too long, `.`, `..` or reserved for the host.
    private static func isSound(_ name: FileName) -> Bool {
        let components = name.text.pathComponents
        let depth = ExportNameTemplate.maximumDepth + ExportNameTemplate.maximumFolderDepth
        return components.count <= depth
            && components.allSatisfy {
                (1...SafeFilename.maximumBytes).contains($0.pathBytes.count) && $0 != "."
                    && $0 != ".."
                    && !$0.utf8.starts(with: ".edithost".utf8) && !$0.utf8.contains(0)
            }
    }
}
