// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Hashing
import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// Parameter files, concatenated in sealed memory for a runner.
struct PackedParameterFiles {
    /// The range of each distinct file.
    private(set) var ranges: [PackedFile] = []
    /// The memory that holds the files, or nil if there are none.
    private(set) var memory: OpenFile?

    /// The alignment of each file's start, in bytes.
    private static let alignment = 64

    /// - Parameter source: The source of the files that are not in memory; nil if all of them are.
    /// - Throws: `LibraryError` if a file is missing or damaged; `HostError` with `fileFailed`, or with
    ///   `badParameter` if the files exceed 512 MiB in total.
    init(_ files: [ParameterFile], _ source: (any RenderSource)?) throws {
        guard !files.isEmpty else { return }
        func damage(of hash: SHA256Digest) -> any Error {
            source?.damage(of: hash, ofAsset: nil)
                ?? HostError(.badParameter, "the file \(hash.hex) of a parameter is missing")
        }
        let memory = try OpenFile.memory("files of parameters")
        var end = 0
        for file in files where !ranges.contains(where: { $0.name == file.value }) {
            let (hash, size) = (file.description.hash, file.description.size)
            // Checked before allocating memory, because the sizes in the database are untrusted.
            guard size <= ParameterFile.maximumSize else { throw damage(of: hash) }
            guard end + size <= ParameterFile.maximumTotal else {
                throw HostError(
                    .badParameter,
                    "the files of the edits' parameters exceed 512 MiB in total")
            }
            guard
                let data = try (file.memory ?? source?.openBlob(hash, ofAsset: nil, for: .copying))?
                    .read(count: size),
                data.count == size
            else { throw damage(of: hash) }
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
