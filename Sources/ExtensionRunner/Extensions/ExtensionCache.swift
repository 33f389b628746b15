// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// What one extension keeps between its edits in this process. Bounded, by use. Any thread.
final class ExtensionCache: Sendable {
    /// Bytes under a hash of what they were made of.
    typealias Key = [UInt8]

    /// How long a key is, in bytes.
    static let keyLength = 32

    /// Memory that nobody changes.
    ///
    /// `@unchecked Sendable` is safe: written by the initialiser alone.
    private final class Entry: @unchecked Sendable {
        let memory: UnsafeRawPointer
        let size: Int

        /// A copy; nil where there is no memory for it.
        init?(copying bytes: UnsafeRawBufferPointer) {
            let length = (max(1, bytes.count) + 63) & ~63
            guard let memory = aligned_alloc(64, length) else { return nil }
            if let base = bytes.baseAddress {
                memory.copyMemory(from: base, byteCount: bytes.count)
            }
            self.memory = UnsafeRawPointer(memory)
            size = bytes.count
        }

        deinit { free(UnsafeMutableRawPointer(mutating: memory)) }
    }

    private struct State {
        var entries: [Key: (entry: Entry, lastUse: UInt64)] = [:]
        /// What the extension has in hand, by its address, with how often it was given it.
        var lent: [UInt: (entry: Entry, count: Int)] = [:]
        var size = 0
        var clock: UInt64 = 0

        mutating func remove(_ key: Key) {
            guard let removed = entries.removeValue(forKey: key) else { return }
            size -= removed.entry.size
        }
    }

    /// How many bytes all entries may have together.
    let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: in bytes.
    init(limit: Int = 64 << 20) { self.limit = limit }

    /// Keeps a copy in place of what was there; false where it is larger than the limit, or there is no
    /// memory for it.
    func store(_ bytes: UnsafeRawBufferPointer, _ key: Key) -> Bool {
        guard bytes.count <= limit, let entry = Entry(copying: bytes) else { return false }
        let size = entry.size
        state.withLock { state in
            state.remove(key)
            while state.size > limit - size,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.remove(oldest.key)
            }
            state.clock += 1
            state.entries[key] = (entry, state.clock)
            state.size += size
        }
        return true
    }

    /// Finds an entry, which stays until it is released.
    func find(_ key: Key) -> UnsafeRawBufferPointer? {
        let found: Entry? = state.withLock { state in
            guard let entry = state.entries[key]?.entry else { return nil }
            state.clock += 1
            state.entries[key]?.lastUse = state.clock
            state.lent[UInt(bitPattern: entry.memory), default: (entry, 0)].count += 1
            return entry
        }
        return found.map { UnsafeRawBufferPointer(start: $0.memory, count: $0.size) }
    }

    /// Ends one use of what was found; something else is ignored.
    func release(_ memory: UnsafeRawPointer) {
        let address = UInt(bitPattern: memory)
        state.withLock { state in
            guard let lent = state.lent[address] else { return }
            state.lent[address] = lent.count > 1 ? (lent.entry, lent.count - 1) : nil
        }
    }
}
