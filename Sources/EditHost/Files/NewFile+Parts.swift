// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerHost

extension NewFile {
    /// A file to write, and its name.
    struct Named {
        let source: OutgoingFile
        let name: NumberedFilename
        /// The modification time that the file gets; nil for the time when it is written.
        var modificationDate: Date?
    }

    /// A complete file without a name, and its content.
    struct Part {
        let file: UnnamedFile
        let hash: SHA256Digest
        let size: Int
        /// The modification time, in nanoseconds since 1970.
        let modified: Int
    }

    /// Writes files without giving them their final names.
    ///
    /// - Throws: As ``write(_:in:)``. In that case, no file is left.
    static func prepare(_ files: [Named], in folder: Folder) throws -> [Part] {
        var parts: [Part] = []
        do {
            for file in files {
                parts.append(try copy(file.source, to: folder, modified: file.modificationDate))
            }
        } catch {
            remove(parts)
            throw error
        }
        return parts
    }

    /// Removes the temporary names of files, if they still exist.
    static func remove(_ parts: [Part]) {
        for part in parts { part.file.remove() }
    }

    /// Writes a file without a name.
    ///
    /// - Parameters:
    ///   - modified: The modification time that the file gets; nil for the time when it is written.
    ///   - written: Called with the number of bytes written since the last call.
    /// - Throws: `HostError` with `fileFailed`; `LibraryError` if the bytes are not the expected ones;
    ///   `CancellationError`.
    static func copy(
        _ source: OutgoingFile, to folder: Folder, modified: Date? = nil,
        written: (Int) -> Void = { _ in }
    ) throws -> Part {
        var parts = source.parts()
        var status = stat()
        let file = try UnnamedFile(in: folder) { file in
            while let part = try parts.next() {
                try Task.checkCancellation()
                try file.copy(part)
                written(part.count)
            }
            try file.endCopy()
            if let modified {
                file.setModificationDate(modified, nanoseconds: parts.hash.fraction)
            }
            status = try file.hostStatus()
        }
        return Part(
            file: file, hash: parts.hash, size: Int(status.st_size),
            modified: status.st_mtim.nanoseconds)
    }
}

extension SHA256Digest {
    /// Nanoseconds that differ between files of the same date and size, which an export tells apart by both. They are
    /// never 0, which shows a file system without fractions of a second.
    fileprivate var fraction: Int { (Int(hex.prefix(8), radix: 16) ?? 0) % 999_999_999 + 1 }
}

extension timespec {
    /// The time in nanoseconds since 1970, or 0 if it is out of range.
    var nanoseconds: Int {
        let (seconds, isTooLate) = Int(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isMore) = seconds.addingReportingOverflow(Int(tv_nsec))
        return isTooLate || isMore ? 0 : sum
    }
}
