// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import RunnerProtocol

/// The bytes of an extension's `hashedFiles`, one behind another in sealed memory: what is given to the
/// extension is what was hashed, whatever happens to the files.
struct ExtensionFiles: Sendable {
    /// Where each lies.
    private(set) var ranges: [PackedFile] = []
    /// The hash of each.
    private(set) var hashes: [SHA256Digest] = []
    /// The memory; nil where there are no files.
    private(set) var memory: OpenFile?

    /// The most that all may have together, in bytes.
    static let maximumSize = 256 << 20
    /// Each begins at a multiple of this, as numbers in it may want, in bytes.
    private static let alignment = 64

    /// No files.
    init() {}

    /// Reads files of an extension's folder.
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
