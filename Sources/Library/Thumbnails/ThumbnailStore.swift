// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc
import Synchronization

import Hashing

/// A cache of small encoded images in the library's `cache/thumbnails`, keyed by a hash of
/// everything that determines them. Each is a file, in one of 256 folders
/// (docs/design/decisions/0025-image-requests.md).
///
/// It may be deleted at any time and is untrusted: an invalid entry is removed. Operations are best
/// effort: I/O errors are treated as missing entries.
package final class ThumbnailStore: Sendable {
    private struct State {
        /// The total size of all entries in bytes; nil until they have been counted.
        var size: Int?
        var isCounting = false
        /// The folder used by the last successful read or write.
        var folder: Folder?
    }

    private let root: Folder
    private let limit: Int
    private let state = Mutex(State())

    /// The maximum size of an image in bytes. Larger ones are not stored.
    package static let maximumEntry = 4 << 20
    private static let name = "thumbnails"
    private static let magic = Array("EDTHUMB1".utf8)
    /// The length of the header: the magic, the hash of key, size and file, and the size as two
    /// 32-bit big-endian numbers.
    private static let headerLength = magic.count + 32 + 8
    /// The precision of an entry's last use, in seconds, which is stored as its modification time.
    private static let useInterval = 12 * 3600

    /// - Parameters:
    ///   - root: The library's folder.
    ///   - limit: The maximum total size of all entries in bytes.
    init(root: Folder, limit: Int) {
        self.root = root
        self.limit = limit
    }

    // MARK: - Entries

    /// A stored image.
    package struct Picture: Sendable {
        /// The encoded file.
        package let data: Data
        /// The size of the image in pixels.
        package let size: PixelSize

        /// Creates an image from its encoded file and its size.
        package init(data: Data, size: PixelSize) {
            self.data = data
            self.size = size
        }
    }

    /// Returns the image for a key, or nil if there is no valid entry.
    package func picture(_ key: SHA256Digest) -> Picture? {
        guard let (shard, file) = entry(key), let status = try? file.systemStatus() else {
            return nil
        }
        let length = Int(status.st_size)
        guard let data = Self.read(file, length), let picture = Self.picture(in: data, key) else {
            try? shard.removeFile(key.hex)
            return nil
        }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        if now.tv_sec - status.st_mtim.tv_sec > Self.useInterval { futimens(file.descriptor, nil) }
        return picture
    }

    /// Opens the entry for a key. If the cached folder does not have it, the folder is reopened, as
    /// another process may have recreated it.
    private func entry(_ key: SHA256Digest) -> (shard: Folder, OpenFile)? {
        for folder in [{ self.state.withLock { $0.folder } }, reopenedFolder] {
            if let shard = try? folder()?.folderIfPresent(BlobStore.shardName(of: key)),
                let file = try? shard.file(key.hex, O_RDONLY)
            {
                return (shard, file)
            }
        }
        return nil
    }

    private func reopenedFolder() -> Folder? {
        let folder = (try? folder(isMade: false)) ?? nil
        state.withLock { $0.folder = folder }
        return folder
    }

    /// Returns whether there is an entry for a key, valid or not.
    package func contains(_ key: SHA256Digest) -> Bool {
        entry(key) != nil
    }

    private static func read(_ file: OpenFile, _ length: Int) -> Data? {
        guard (headerLength...maximumEntry + headerLength).contains(length) else { return nil }
        var data = Data(count: length)
        let done = try? data.withUnsafeMutableBytes { try file.fill($0, at: 0) }
        return done == length ? data : nil
    }

    /// Stores an image. Best effort: a full disk or a read-only folder is ignored.
    package func keep(_ picture: Picture, _ key: SHA256Digest) {
        guard !picture.data.isEmpty, picture.data.count <= Self.maximumEntry,
            let width = UInt32(exactly: picture.size.width),
            let height = UInt32(exactly: picture.size.height),
            let shard = try? madeShard(of: key)
        else { return }
        let content = [width, height].flatMap(Self.bytes) + picture.data
        let entry = Self.magic + Self.digest(of: content, key) + content
        let draft = UUID().uuidString.lowercased()
        do {
            let file = try shard.makeFile(draft, mode: 0o600)
            try entry.withUnsafeBytes { try file.write($0, at: 0) }
            try? shard.removeFolderIfEmpty(key.hex)
            try shard.move(draft, to: shard, as: key.hex)
            grow(by: entry.count)
        } catch {
            try? shard.removeFile(draft)
        }
    }

    private static func picture(in entry: Data, _ key: SHA256Digest) -> Picture? {
        let (start, content) = (magic.count, entry.dropFirst(magic.count + 32))
        guard entry.starts(with: magic),
            entry[start..<start + 32].elementsEqual(digest(of: content, key))
        else { return nil }
        let numbers = content.prefix(8).map { Int($0) }
        func number(_ index: Int) -> Int {
            numbers[index..<index + 4].reduce(0) { $0 << 8 | $1 }
        }
        return Picture(
            data: Data(content.dropFirst(8)), size: PixelSize(width: number(0), height: number(4)))
    }

    /// The digest covers the key, so an entry under the name of another one is invalid.
    private static func digest(of content: some ContiguousBytes, _ key: SHA256Digest) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(data: Data(key.hex.utf8))
        hasher.update(data: content)
        return hasher.finalize()
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func folder(isMade: Bool) throws(SystemError) -> Folder? {
        if isMade {
            return try root.makeFolderIfNeeded(LibraryName.cache).makeFolderIfNeeded(Self.name)
        }
        return try root.folderIfPresent(LibraryName.cache)?.folderIfPresent(Self.name)
    }

    private func madeShard(of key: SHA256Digest) throws(SystemError) -> Folder? {
        try folder(isMade: true)?.makeFolderIfNeeded(BlobStore.shardName(of: key))
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

    /// Evicts entries until the store is at nine tenths of its limit, if it exceeds the limit.
    /// Other processes may add entries meanwhile, and count them separately.
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
