// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import RunnerProtocol

/// The contents of an extension's `hashedFiles`, concatenated in sealed memory.
///
/// The extension receives the hashed bytes even if the files change.
struct ExtensionFiles: Sendable {
    /// The range of each file in the memory.
    private(set) var ranges: [PackedFile] = []
    /// The hash of each file, in the order of the manifest.
    private(set) var hashes: [SHA256Digest] = []
    /// The sealed memory; nil if there are no files.
    private(set) var memory: OpenFile?

    /// The maximum total size of the files, in bytes.
    static let maximumSize = 256 << 20
    /// The alignment of each file's start, in bytes, so that numbers in it can be read in place.
    private static let alignment = 64

    /// Creates an empty set of files.
    init() {}

    /// Reads and hashes files of an extension's folder.
    ///
    /// - Throws: `HostError` with `unusableExtension`, `SystemError`.
    init(_ names: [String], in folder: ExtensionFolder) throws {
        guard !names.isEmpty else { return }
        let memory = try OpenFile.memory("an extension's files")
        var left = Self.maximumSize
        for name in names {
            let before = left
            guard
                let hash = try ExtensionBinary.digest(
                    of: try folder.file(name), copyingTo: memory, upTo: &left)
            else {
                throw HostError(
                    .unusableExtension, "its hashedFiles exceed 256 MiB in total")
            }
            hashes.append(hash)
            let (end, count) = (try memory.byteCount(), before - left)
            ranges.append(PackedFile(name: name, offset: end - count, count: count))
            let next = (end + Self.alignment - 1) / Self.alignment * Self.alignment
            guard lseek(memory.descriptor, off_t(next), SEEK_SET) >= 0 else {
                throw HostError.file("cannot be written", path: memory.path)
            }
        }
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw HostError.file("cannot be sealed", path: memory.path)
        }
        self.memory = memory
    }
}
