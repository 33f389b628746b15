// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// The memory files that a runner was given. It may keep a descriptor of each, or have it mapped,
/// and so keep the memory, as long as it lives; what it says of that counts for nothing.
///
/// Those that the host can take back (``OpenFile/emptiesAtEnd``) count with what is in them
/// until it does. Those of a fixed content or size count as a whole, from then on; a picture that is
/// read only when it has been worked on.
///
/// See docs/design/decisions/0018-extension-digests.md.
struct LentMemory {
    private struct Taken {
        weak var memory: OpenFile?
    }

    private struct Kept {
        let bytes: UInt64
        /// The lease that it is the input of; nil: it counts in any.
        var input: Int?
    }

    private var taken: [Taken] = []
    private var kept: [UInt64: Kept] = [:]
    private var lease = 0

    /// Somebody else has the runner from now on.
    mutating func beginLease() { lease += 1 }

    /// The runner is given a memory file; anything else is passed over.
    ///
    /// - Parameter isInput: the runner can only read it.
    mutating func lend(_ memory: OpenFile, isInput: Bool) {
        guard memory.isMemory else { return }
        taken.removeAll { $0.memory == nil }
        if memory.emptiesAtEnd {
            taken.append(Taken(memory: memory))
            return
        }
        var status = stat()
        guard fstat(memory.descriptor, &status) == 0 else { return }
        let number = UInt64(status.st_ino)
        let mayBeWritten = !isInput || kept[number].map { $0.input == nil } ?? false
        kept[number] = Kept(
            bytes: UInt64(max(0, status.st_size)), input: mayBeWritten ? nil : lease)
    }

    /// What the runner may hold at present, beside the pictures that it is given to read, in bytes.
    func bytes() -> UInt64 {
        keptBytes(beside: lease) + taken.reduce(0) { $0 + ($1.memory?.allocatedBytes ?? 0) }
    }

    /// What it may still hold when it is given back, in bytes.
    func bytesAtEnd() -> UInt64 { keptBytes(beside: nil) }

    private func keptBytes(beside lease: Int?) -> UInt64 {
        kept.values.reduce(0) { sum, kept in
            kept.input != nil && kept.input == lease ? sum : sum + kept.bytes
        }
    }
}

extension OpenFile {
    /// What the file takes up, in bytes.
    fileprivate var allocatedBytes: UInt64 {
        (try? systemStatus()).map { UInt64(max(0, $0.st_blocks)) * 512 } ?? 0
    }
}
