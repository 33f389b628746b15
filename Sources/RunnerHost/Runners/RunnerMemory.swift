// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// The memory files that a runner was given. It may keep them open or mapped, and thereby keep their memory allocated,
/// as long as it lives. Its own reports about them are ignored.
///
/// A file that the host can empty (``OpenFile/isEmptiedOnRelease``) counts with its current content until then. A file of
/// fixed content or size counts in full from the time it is lent. Read-only input counts only after its lease has
/// ended.
///
/// See docs/design/decisions/0018-extension-digests.md.
struct RunnerMemory {
    private struct WeakMemory {
        weak var memory: OpenFile?
    }

    private struct LentMemory {
        let bytes: UInt64
        /// The lease that the file is the input of; `nil` if it counts in every lease.
        var input: Int?
    }

    private var taken: [WeakMemory] = []
    private var memories: [UInt64: LentMemory] = [:]
    private var lease = 0

    /// Starts a new lease of the runner.
    mutating func beginLease() { lease += 1 }

    /// Records a memory file that the runner is given. Any other file is ignored.
    ///
    /// - Parameter isInput: Whether the runner can only read the file.
    mutating func lend(_ memory: OpenFile, isInput: Bool) {
        guard memory.isMemory else { return }
        taken.removeAll { $0.memory == nil }
        if memory.isEmptiedOnRelease {
            taken.append(WeakMemory(memory: memory))
            return
        }
        var status = stat()
        guard fstat(memory.descriptor, &status) == 0 else { return }
        let number = UInt64(status.st_ino)
        let mayBeWritten = !isInput || memories[number].map { $0.input == nil } ?? false
        memories[number] = LentMemory(
            bytes: UInt64(max(0, status.st_size)), input: mayBeWritten ? nil : lease)
    }

    /// Returns the size in bytes of the memory that the runner may hold now, without the input of the current lease.
    func bytes() -> UInt64 {
        keptBytes(excluding: lease) + taken.reduce(0) { $0 + ($1.memory?.allocatedBytes ?? 0) }
    }

    /// Returns the size in bytes of the memory that the runner may still hold after its lease.
    func bytesAtEnd() -> UInt64 { keptBytes(excluding: nil) }

    private func keptBytes(excluding lease: Int?) -> UInt64 {
        memories.values.reduce(0) { sum, memory in
            memory.input != nil && memory.input == lease ? sum : sum + memory.bytes
        }
    }
}

extension OpenFile {
    /// The allocated size of the file in bytes.
    fileprivate var allocatedBytes: UInt64 {
        (try? systemStatus()).map { UInt64(max(0, $0.st_blocks)) * 512 } ?? 0
    }
}
