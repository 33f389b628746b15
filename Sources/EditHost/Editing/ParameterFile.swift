// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Hashing
import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// A file that is the value of an edit's parameter: either stored in the library, or named by the user and held in
/// memory until the edit is committed.
struct ParameterFile: Sendable {
    /// The parameter, filename, hash and size of the file.
    let description: EditFile
    /// The bytes of the file, or nil if the library stores them.
    let memory: OpenFile?

    /// The maximum size of a file, in bytes.
    static let maximumSize = 64 << 20
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

/// The staged parameter files of one request. Each file is staged once, even if several photographs
/// are edited.
final class StagedParameterFiles: Sendable {
    private let blobs = Mutex<[SHA256Digest: StagedBlob]>([:])

    /// Returns a file that is ready to be committed. Stages it if it is not staged or stored yet.
    ///
    /// - Throws: `LibraryError`.
    func staged(_ file: ParameterFile, in library: PhotoLibrary) throws -> StagedEditFile {
        guard let memory = file.memory else { return StagedEditFile(file.description) }
        let hash = file.description.hash
        if let known = blobs.withLock({ $0[hash] }) {
            return StagedEditFile(file.description, blob: known)
        }
        let blob = try library.stage(memory, expectedSize: file.description.size)
        // A concurrent edit may have staged the same bytes first. Then this copy, which nothing else refers to, is dropped.
        return StagedEditFile(
            file.description,
            blob: blobs.withLock { blobs in
                blobs[hash] = blobs[hash] ?? blob
                return blobs[hash]
            })
    }
}

/// Parameter files, concatenated in sealed memory for a runner.
struct PackedParameterFiles {
    /// The range of each distinct file.
    private(set) var ranges: [PackedFile] = []
    /// The memory that holds the files, or nil if there are none.
    private(set) var memory: OpenFile?

    /// The alignment of each file's start, in bytes.
    private static let alignment = 64

    /// - Parameter library: the library that stores the files that are not in memory.
    /// - Throws: `LibraryError` if a file is missing or damaged; `HostError` with `fileFailed`, or with
    ///   `badParameter` if the files exceed 512 MiB in total.
    init(_ files: [ParameterFile], _ library: PhotoLibrary) throws {
        guard !files.isEmpty else { return }
        let memory = try OpenFile.memory("files of parameters")
        var end = 0
        for file in files where !ranges.contains(where: { $0.name == file.value }) {
            let (hash, size) = (file.description.hash, file.description.size)
            // Checked before allocating memory, because the sizes in the database are untrusted.
            guard size <= ParameterFile.maximumSize else {
                throw library.damage(of: hash, ofAsset: nil)
            }
            guard end + size <= ParameterFile.maximumTotal else {
                throw HostError(
                    .badParameter,
                    "the files of the edits' parameters exceed 512 MiB in total")
            }
            let data = try (file.memory ?? library.openBlob(hash)).read(count: size)
            guard data.count == size else { throw library.damage(of: hash, ofAsset: nil) }
            ranges.append(PackedFile(name: file.value, offset: end, count: data.count))
            try data.withUnsafeBytes { try memory.write($0, at: end) }
            end = (end + data.count + Self.alignment - 1) / Self.alignment * Self.alignment
        }
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw HostError.file("cannot be sealed", path: memory.path)
        }
        self.memory = memory
    }

    /// The descriptors to send with a request.
    var descriptors: [(DescriptorRole, OpenFile)] { memory.map { [(.parameterFiles, $0)] } ?? [] }
}

extension LibraryError {
    /// The message of the error, with that of the operating system.
    fileprivate var reason: String { underlying.map { "\(message): \($0)" } ?? message }
}
