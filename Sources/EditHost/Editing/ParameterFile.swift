// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Hashing
import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// A file that a parameter of an edit names: one that the library keeps with an edit, or one that the user has
/// named now and that is in memory until the edit is committed.
struct ParameterFile: Sendable {
    /// What it is.
    let description: EditFile
    /// Its bytes, where the library does not have them yet.
    let memory: OpenFile?

    /// The largest, in bytes.
    static let maximumSize = 64 << 20
    /// The most that all of one request may have together, in bytes: they are in memory.
    static let maximumTotal = 512 << 20

    /// One that the library keeps.
    init(_ stored: EditFile) {
        description = stored
        memory = nil
    }

    private init(_ description: EditFile, memory: OpenFile) {
        self.description = description
        self.memory = memory
    }

    /// The value of the parameter.
    var value: String { "sha256:" + description.hash.hex }

    /// The same for another parameter.
    func named(_ parameter: String) -> ParameterFile {
        let file = description
        let description = EditFile(
            parameter: parameter, filename: file.filename, hash: file.hash, size: file.size)
        return memory.map { ParameterFile(description, memory: $0) } ?? ParameterFile(description)
    }

    /// Reads a file that the user has named. Links may lead to it.
    ///
    /// - Throws: `HostError` with `badParameter`, which names parameter and file.
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

/// The files of parameters that the edits of one request have staged: each once, however many photographs
/// are edited.
final class StagedParameterFiles: Sendable {
    private let blobs = Mutex<[SHA256Digest: StagedBlob]>([:])

    /// A file that is ready to be committed.
    ///
    /// - Throws: `LibraryError`.
    func staged(_ file: ParameterFile, in library: PhotoLibrary) throws -> StagedEditFile {
        guard let memory = file.memory else { return StagedEditFile(file.description) }
        let hash = file.description.hash
        if let known = blobs.withLock({ $0[hash] }) {
            return StagedEditFile(file.description, blob: known)
        }
        let blob = try library.stage(memory, expectedSize: file.description.size)
        // Another edit may have been quicker; nobody else has its copy.
        return StagedEditFile(
            file.description,
            blob: blobs.withLock { blobs in
                blobs[hash] = blobs[hash] ?? blob
                return blobs[hash]
            })
    }
}

/// Files of parameters, one behind another in sealed memory, as a runner gets them.
struct PackedParameterFiles {
    /// Where each lies, once.
    private(set) var ranges: [PackedFile] = []
    /// What they lie in; nil: there are none.
    private(set) var memory: OpenFile?

    /// Each begins at a multiple of this, in bytes.
    private static let alignment = 64

    /// - Parameter library: has the bytes of those that are not in memory.
    /// - Throws: `LibraryError` where one is missing or damaged; `HostError` with `fileFailed`, or with
    ///   `badParameter` where they are more than 512 MiB together.
    init(_ files: [ParameterFile], _ library: PhotoLibrary) throws {
        guard !files.isEmpty else { return }
        let memory = try OpenFile.memory("files of parameters")
        var end = 0
        for file in files where !ranges.contains(where: { $0.name == file.value }) {
            let (hash, size) = (file.description.hash, file.description.size)
            // Before memory is made for it: a library may say anything.
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

    /// What goes along with a request.
    var descriptors: [(DescriptorRole, OpenFile)] { memory.map { [(.parameterFiles, $0)] } ?? [] }
}

extension LibraryError {
    /// What is wrong, with the system's words.
    fileprivate var reason: String { underlying.map { "\(message): \($0)" } ?? message }
}
