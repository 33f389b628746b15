// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The cache of an extension between its edits in this process. Bounded in size, with LRU eviction. Thread-safe.
final class ExtensionCache: Sendable {
    /// A hash of the inputs of an entry.
    typealias Key = [UInt8]

    /// The length of a key in bytes.
    static let keyLength = 32

    /// Immutable memory of an entry.
    ///
    /// `@unchecked Sendable` is safe: it is written only by the initialiser.
    private final class Entry: @unchecked Sendable {
        let memory: UnsafeRawPointer
        let size: Int

        /// Copies bytes; `nil` if there is not enough memory.
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
        /// The entries in use by the extension, by address, with their reference counts.
        var lent: [UInt: (entry: Entry, count: Int)] = [:]
        var size = 0
        var clock: UInt64 = 0

        mutating func remove(_ key: Key) {
            guard let removed = entries.removeValue(forKey: key) else { return }
            size -= removed.entry.size
        }
    }

    /// The maximum size of all entries in bytes.
    let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum size of all entries in bytes.
    init(limit: Int = 64 << 20) { self.limit = limit }

    /// Stores a copy and replaces an old entry. Returns false if it exceeds the limit or there is not enough memory.
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

    /// Returns an entry, which stays valid until it is released.
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

    /// Releases an entry once. Other addresses are ignored.
    func release(_ memory: UnsafeRawPointer) {
        let address = UInt(bitPattern: memory)
        state.withLock { state in
            guard let lent = state.lent[address] else { return }
            state.lent[address] = lent.count > 1 ? (lent.entry, lent.count - 1) : nil
        }
    }
}
