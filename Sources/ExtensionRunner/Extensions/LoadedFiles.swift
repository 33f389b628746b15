// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageMetadata
import RunnerProtocol

/// Files that were packed into one block of shared memory. They are mapped as long as this value exists.
struct LoadedFiles: Sendable {
    private let bytes: Bytes?
    private let ranges: [String: Range<Int>]

    /// - Parameters:
    ///   - files: The positions of the files.
    ///   - memory: The shared memory; `nil` if there are no files.
    /// - Throws: `RunnerFailure` with `badRequest` if a file is out of range.
    init(_ files: [PackedFile], _ memory: OpenFile?) throws(RunnerFailure) {
        let length = memory?.length ?? 0
        bytes = memory.flatMap { Bytes(mapping: $0, length: length) }
        var ranges: [String: Range<Int>] = [:]
        for file in files {
            guard file.offset >= 0, file.count >= 0, file.offset <= length,
                file.count <= length - file.offset, file.count == 0 || bytes != nil
            else {
                throw RunnerFailure(
                    code: .badRequest, message: "the file \(file.name) is missing from the request")
            }
            ranges[file.name] = file.offset..<file.offset + file.count
        }
        self.ranges = ranges
    }

    /// Returns the bytes of a file; `nil` if it does not exist.
    func bytes(_ name: String) -> UnsafeRawBufferPointer? {
        guard let range = ranges[name] else { return nil }
        guard let memory = bytes?.memory else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(rebasing: memory[range])
    }
}
