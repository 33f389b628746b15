// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Hashing
import RunnerHost

extension WorkFolder {
    /// Writes bytes as a complete file. A file of that name is replaced; readers see the old or the new bytes, but not
    /// a part of them, unless the file system cannot rename.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func write(_ data: Data, as name: String, in folder: Folder) throws {
        try failing("cannot be written", "\(folder.path)/\(name)") {
            try folder.writeAtomically(name) { file in try file.append(data) }
        }
    }

    /// Writes a complete copy of a file. A file of that name is replaced. Files named by their hashes are replaced by
    /// the same bytes.
    ///
    /// - Returns: The hash of the bytes.
    /// - Throws: `HostError` with `fileFailed`.
    @discardableResult
    package func write(
        _ source: OpenFile, as name: String, in folder: Folder
    ) throws -> SHA256Digest {
        var hash: SHA256Digest?
        try failing("cannot be written", "\(folder.path)/\(name)") {
            try folder.writeAtomically(name) { hash = try Self.copy(source, to: $0, atMost: .max) }
        }
        guard let hash else { throw HostError.file("cannot be read", path: source.path) }
        return hash
    }

    /// Writes a complete file under a new name.
    ///
    /// - Parameter fill: Appends the content.
    /// - Returns: The hash of the bytes.
    func writeHashed(
        _ name: String, in folder: Folder, _ fill: (OpenFile) throws -> Void
    ) throws -> SHA256Digest {
        let copy = try failing("cannot be created", "a temporary file") { try OpenFile.unnamed() }
        try fill(copy)
        return try write(copy, as: name, in: folder)
    }

    /// Writes one value as a complete file.
    package func write(_ value: some Encodable, as name: String, in folder: Folder) throws {
        try write(try Self.encoded(value), as: name, in: folder)
    }

    /// Writes values as the lines of a complete file.
    package func write(
        lines values: [some Encodable], as name: String, in folder: Folder
    ) throws {
        try write(try Self.lines(values), as: name, in: folder)
    }

    /// Writes values as the lines of a complete file with the first free number that is not less than `lowest`. A file
    /// that another process writes in the meantime is not replaced.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func write(
        lines values: [some Encodable], from lowest: Int, in folder: Folder
    ) throws {
        let text = try Self.lines(values)
        var number = lowest
        while try !isWritten(text, as: WorkName.lineFile(number), in: folder) { number += 1 }
    }

    /// Writes bytes as a complete file. Returns `false` if the name exists.
    private func isWritten(_ data: Data, as name: String, in folder: Folder) throws -> Bool {
        try failing("cannot be written", "\(folder.path)/\(name)") {
            // Checking first is cheaper than writing a file that cannot be named.
            if try folder.status(name) != nil { return false }
            do {
                try folder.writeAtomically(name, replacing: false) { file in try file.append(data) }
                return true
            } catch let error as SystemError where error.number == EEXIST {
                return false
            }
        }
    }

    /// Returns the canonical JSON of a value, which is hashed and written.
    package static func encoded(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    private static func lines(_ values: [some Encodable]) throws -> Data {
        var text = Data()
        for value in values { text += try line(value) }
        return text
    }

    /// Returns the JSON of a value and a newline.
    package static func line(_ value: some Encodable) throws -> Data {
        try encoded(value) + Data([UInt8(ascii: "\n")])
    }
}
