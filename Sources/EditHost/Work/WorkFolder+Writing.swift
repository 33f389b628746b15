// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Hashing
import RunnerHost

extension WorkFolder {
    /// Writes bytes as a whole file under a new name, or replaces a file that has the same bytes.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func write(_ data: Data, as name: String, in folder: Folder) throws {
        try failing("cannot be written", "\(folder.path)/\(name)") {
            try folder.writeWhole(name) { file in try file.append(data) }
        }
    }

    /// Writes a copy of a file whole under a new name.
    ///
    /// - Returns: The hash of the bytes.
    /// - Throws: `HostError` with `fileFailed`.
    @discardableResult
    package func write(
        _ source: OpenFile, as name: String, in folder: Folder
    ) throws -> SHA256Digest {
        var hash: SHA256Digest?
        try failing("cannot be written", "\(folder.path)/\(name)") {
            try folder.writeWhole(name) { hash = try Self.copy(source, to: $0, atMost: .max) }
        }
        guard let hash else { throw HostError.file("cannot be read", path: source.path) }
        return hash
    }

    /// Writes a file whole under a new name.
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

    /// Writes one value as a whole file.
    package func write(_ value: some Encodable, as name: String, in folder: Folder) throws {
        try write(try Self.encoded(value), as: name, in: folder)
    }

    /// Writes values as the lines of a whole file.
    package func write(
        lines values: [some Encodable], as name: String, in folder: Folder
    ) throws {
        try write(try Self.lines(values), as: name, in: folder)
    }

    /// Writes values as the lines of a whole file with the next free number, from a lowest number on. A file that another
    /// process writes meanwhile is not replaced.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func write(
        lines values: [some Encodable], from lowest: Int, in folder: Folder
    ) throws {
        let text = try Self.lines(values)
        var number = lowest
        while try !isWritten(text, as: WorkName.lineFile(number), in: folder) { number += 1 }
    }

    /// Writes bytes as a whole file. Returns `false` if the name exists.
    private func isWritten(_ data: Data, as name: String, in folder: Folder) throws -> Bool {
        try failing("cannot be written", "\(folder.path)/\(name)") {
            // Cheaper than to write the file in vain.
            if try folder.status(name) != nil { return false }
            do {
                try folder.writeWhole(name, replacing: false) { file in try file.append(data) }
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
