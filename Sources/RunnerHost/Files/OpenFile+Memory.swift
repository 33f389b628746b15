// SPDX-License-Identifier: Apache-2.0

import CSandbox
import FileAccess
import Foundation
import Glibc

// Files in memory, which are passed to runners as descriptors. Failures are reported as `HostError` with
// `fileFailed`.
extension OpenFile {
    /// Creates an empty file in memory.
    package static func memory(_ name: String) throws -> OpenFile {
        OpenFile(descriptor: try newMemory(name), path: "memory for \(name)", isMemory: true)
    }

    /// Creates a file in memory that holds bytes. Its offset is at the start.
    package static func memory(_ name: String, holding data: Data) throws -> OpenFile {
        let memory = try memory(name)
        try memory.append(data)
        lseek(memory.descriptor, 0, SEEK_SET)
        return memory
    }

    /// Creates an immutable file in memory that holds bytes.
    package static func sealedMemory(_ name: String, holding data: Data) throws -> OpenFile {
        let memory = try memory(name, holding: data)
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw HostError.file("cannot be sealed", path: memory.path)
        }
        return memory
    }

    /// Creates a file in memory to lend to a runner. It is emptied when this object is released, so a runner that
    /// keeps a descriptor or a mapping of it does not keep memory allocated.
    ///
    /// - Parameters:
    ///   - data: The initial content.
    ///   - room: Its length, which is also its maximum length; nil means no limit beyond what a runner may write.
    package static func runnerMemory(
        _ name: String, holding data: Data = Data(), room: Int? = nil
    ) throws -> OpenFile {
        let memory = OpenFile(
            descriptor: try newMemory(name), path: "memory for \(name)", isMemory: true
        ) { _ = csandbox_empty($0) }
        try memory.append(data)
        lseek(memory.descriptor, 0, SEEK_SET)
        guard let room else { return memory }
        guard ftruncate(memory.descriptor, off_t(room)) == 0,
            csandbox_seal_growth(memory.descriptor) == 0
        else { throw HostError.file("cannot be sized", path: memory.path) }
        return memory
    }

    /// Whether the file is emptied when this object is released, even if another process has a descriptor of it.
    var isEmptiedOnRelease: Bool { hasEnd }

    /// Returns a read-only descriptor of the same file in memory.
    package func readOnly() throws -> OpenFile {
        let copy = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        guard copy >= 0 else { throw HostError.file("cannot be opened again", path: path) }
        return OpenFile(descriptor: copy, path: path, isMemory: isMemory)
    }

    /// Returns an immutable copy in memory of the first bytes.
    package func sealedCopy(_ byteCount: Int) throws -> OpenFile {
        let copy = try OpenFile.memory("a copy")
        try self.copy(byteCount, to: copy)
        guard csandbox_seal(copy.descriptor) == 0 else {
            throw HostError.file("cannot be sealed", path: copy.path)
        }
        return copy
    }

    /// Copies the first bytes to the beginning of another file.
    package func copy(_ byteCount: Int, to file: OpenFile) throws {
        var place = 0
        while place < byteCount {
            let part = try read(count: min(byteCount - place, 1 << 22), at: place)
            guard !part.isEmpty else { break }
            try part.withUnsafeBytes { try file.write($0, at: place) }
            place += part.count
        }
    }

    private static func newMemory(_ name: String) throws -> Int32 {
        let number = csandbox_memory(name)
        guard number >= 0 else {
            throw HostError.file("cannot be created", path: "memory for \(name)")
        }
        return number
    }
}
