// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Glibc
import Synchronization

/// A folder in the library's `cache/` of limited size. Each entry is a file, in one of 256 folders
/// by the first two characters of its name, which are hexadecimal.
///
/// It may be deleted at any time and is untrusted. Operations are best effort: I/O errors are
/// treated as missing entries.
final class CacheFolder: Sendable {
    private struct State {
        /// The total size of all entries in bytes; nil until they have been counted.
        var size: Int?
        var isCounting = false
        /// The folder used by the last successful read or write.
        var folder: Folder?
    }

    private let root: Folder
    private let name: String
    private let limit: Int
    private let state = Mutex(State())

    /// The precision of an entry's last use, in seconds, which is stored as its modification time.
    private static let useInterval = 12 * 3600

    /// - Parameters:
    ///   - root: The library's folder.
    ///   - name: The name of the folder in `cache/`.
    ///   - limit: The maximum total size of all entries in bytes.
    init(root: Folder, name: String, limit: Int) {
        self.root = root
        self.name = name
        self.limit = limit
    }

    // MARK: - Entries

    /// Opens an entry. If the cached folder does not have it, the folder is reopened, as another
    /// process may have recreated it.
    func entry(_ name: String) -> OpenFile? {
        for folder in [{ self.state.withLock { $0.folder } }, reopenedFolder] {
            if let shard = try? folder()?.folderIfPresent(Self.shardName(of: name)),
                let file = try? shard.file(name, O_RDONLY)
            {
                return file
            }
        }
        return nil
    }

    private func reopenedFolder() -> Folder? {
        let folder = (try? folder(isMade: false)) ?? nil
        state.withLock { $0.folder = folder }
        return folder
    }

    /// Records that an entry was used, for the eviction.
    func markUsed(_ file: OpenFile, _ status: stat) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        if now.tv_sec - status.st_mtim.tv_sec > Self.useInterval { futimens(file.descriptor, nil) }
    }

    /// Writes an entry under a temporary name and renames it. An existing entry is replaced.
    func keep(_ name: String, _ fill: (OpenFile) throws -> Void) {
        guard
            let shard = try? folder(isMade: true)?.makeFolderIfNeeded(Self.shardName(of: name))
        else { return }
        let draft = UUID().uuidString.lowercased()
        do {
            let file = try shard.makeFile(draft, mode: 0o600)
            try fill(file)
            let count = Int(try file.systemStatus().st_size)
            try? shard.removeFolderIfEmpty(name)
            try shard.move(draft, to: shard, as: name)
            grow(by: count)
        } catch {
            try? shard.removeFile(draft)
        }
    }

    /// Removes an entry.
    func remove(_ name: String) {
        let shard = try? folder(isMade: false)?.folderIfPresent(Self.shardName(of: name))
        try? shard?.removeFile(name)
    }

    private static func shardName(of name: String) -> String { String(name.prefix(2)) }

    private func folder(isMade: Bool) throws(SystemError) -> Folder? {
        if isMade {
            return try root.makeFolderIfNeeded(LibraryName.cache).makeFolderIfNeeded(name)
        }
        return try root.folderIfPresent(LibraryName.cache)?.folderIfPresent(name)
    }

    // MARK: - The limit

    /// Adds to the total size. Above the limit, evicts the least recently used entries.
    private func grow(by count: Int) {
        let mustCount = state.withLock { state in
            state.size = state.size.map { $0 + count }
            guard !state.isCounting, state.size.map({ $0 > limit }) ?? true else { return false }
            state.isCounting = true
            return true
        }
        guard mustCount else { return }
        let size = evict()
        state.withLock { state in
            state.size = size
            state.isCounting = false
        }
    }

    private struct Entry {
        let used: timespec
        let size: Int
        let shard: String
        let name: String
    }

    /// Evicts entries until the folder is at nine tenths of its limit, if it exceeds the limit.
    /// Other processes may add entries in the meantime, and count them separately.
    ///
    /// - Returns: The total size of the remaining entries in bytes.
    private func evict() -> Int {
        guard let folder = try? folder(isMade: false), let shards = try? folder.names() else {
            return 0
        }
        var entries: [Entry] = []
        for name in shards where LibraryName.isShard(name) {
            guard let shard = try? folder.folder(name), let names = try? shard.names() else {
                continue
            }
            for file in names {
                guard let status = try? shard.status(file) else { continue }
                entries.append(
                    Entry(
                        used: status.st_mtim, size: Int(status.st_size), shard: name, name: file))
            }
        }
        var size = entries.reduce(0) { $0 + $1.size }
        guard size > limit else { return size }
        entries.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
        for entry in entries where size > limit / 10 * 9 {
            guard let shard = try? folder.folder(entry.shard) else { continue }
            // This includes abandoned drafts. A draft in progress is the newest file.
            try? shard.removeFile(entry.name)
            size -= entry.size
        }
        return size
    }
}
