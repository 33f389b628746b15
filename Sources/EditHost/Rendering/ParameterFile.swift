// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Hashing
import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

/// A file that is the value of an edit's parameter: either stored in the library, or named by the user and held in
/// memory until the edit is committed.
package struct ParameterFile: Sendable {
    /// The parameter, filename, hash and size of the file.
    let description: EditFile
    /// The bytes of the file, or nil if the library stores them.
    let memory: OpenFile?

    /// The maximum size of a file, in bytes.
    package static let maximumSize = 64 << 20
    /// The maximum total size of the files of one request, in bytes. They are held in memory.
    static let maximumTotal = 512 << 20

    /// Creates a parameter file from one that the library stores.
    init(_ stored: EditFile) {
        description = stored
        memory = nil
    }

    private init(_ description: EditFile, memory: OpenFile) {
        self.description = description
        self.memory = memory
    }

    /// The value of the parameter: the file's hash with the prefix `sha256:`.
    var value: String { "sha256:" + description.hash.hex }

    /// Returns the same file for another parameter.
    func named(_ parameter: String) -> ParameterFile {
        let file = description
        let description = EditFile(
            parameter: parameter, filename: file.filename, hash: file.hash, size: file.size)
        return memory.map { ParameterFile(description, memory: $0) } ?? ParameterFile(description)
    }

    /// Reads a file that the user has named. Follows symbolic links.
    ///
    /// - Throws: `HostError` with `badParameter`. The message names the parameter and the file.
    static func read(_ path: String, for parameter: String) throws -> ParameterFile {
        func refusal(_ reason: String, _ cause: (any Error)? = nil) -> HostError {
            HostError(
                .badParameter, "the parameter \(parameter): the file \(path) \(reason)",
                underlying: cause)
        }
        guard !path.isEmpty else {
            throw HostError(.badParameter, "the parameter \(parameter) must be the path of a file")
        }
        let source: SourceFile
        do {
            source = try SourceFile(path: path)
        } catch let error as LibraryError {
            throw refusal("cannot be used: \(error.reason)", error)
        }
        guard source.byteCount > 0 else { throw refusal("is empty") }
        guard source.byteCount <= maximumSize else {
            throw refusal("has \(source.byteCount) bytes; the limit is \(maximumSize)")
        }
        do {
            let data = try source.read()
            return ParameterFile(
                EditFile(
                    parameter: parameter, filename: (path as NSString).lastPathComponent,
                    hash: SHA256Digest(bytes: SHA256.hash(data: data)), size: data.count),
                memory: try OpenFile.memory("a parameter's file", holding: data))
        } catch let error as LibraryError {
            throw refusal("cannot be used: \(error.reason)", error)
        }
    }
}

extension LibraryError {
    /// The message of the error, with that of the operating system.
    fileprivate var reason: String { underlying.map { "\(message): \($0)" } ?? message }
}
