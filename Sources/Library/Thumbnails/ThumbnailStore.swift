// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc
import Synchronization

import Hashing

/// Small encoded pictures in the library's `cache/thumbnails`, by the hash of what determines them: a file
/// each, in 256 folders (docs/design/decisions/0025-image-requests.md).
///
/// It may be deleted at any time, is never needed, and nothing in it is trusted: an entry that is not whole
/// is removed. What cannot be read or written is not there.
package final class ThumbnailStore: Sendable {
    private struct State {
        /// What all entries take up, in bytes; nil until somebody has counted.
        var size: Int?
        var isCounting = false
        /// The folder that pictures were last found in, or written to.
        var folder: Folder?
    }

    private let root: Folder
    private let limit: Int
    private let state = Mutex(State())

    /// Larger pictures are not kept, in bytes.
    package static let maximumEntry = 4 << 20
    private static let name = "thumbnails"
    private static let magic = Array("EDTHUMB1".utf8)
    /// The magic, the hash of key, size and file, and the size as two 32-bit numbers, most significant byte
    /// first.
    private static let headerLength = magic.count + 32 + 8
    /// The time of an entry says when it was used last, to this many seconds.
    private static let useInterval = 12 * 3600

    /// - Parameters:
    ///   - root: The library's folder.
    ///   - limit: What all entries may take up, in bytes.
    init(root: Folder, limit: Int) {
        self.root = root
        self.limit = limit
    }

    // MARK: - Entries

    /// A picture that is kept.
    package struct Picture: Sendable {
        /// The encoded file.
        package let data: Data
        /// In pixels.
        package let size: PixelSize

        /// Makes one.
        package init(data: Data, size: PixelSize) {
            self.data = data
            self.size = size
        }
    }

    /// The picture of this key; nil where there is none that is whole.
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

    /// The file of a key; where it is not in the folder that is open, somebody may have made another.
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

    /// Whether there is an entry of this key, whole or not.
    package func contains(_ key: SHA256Digest) -> Bool {
        entry(key) != nil
    }

    private static func read(_ file: OpenFile, _ length: Int) -> Data? {
        guard (headerLength...maximumEntry + headerLength).contains(length) else { return nil }
        var data = Data(count: length)
        let done = try? data.withUnsafeMutableBytes { try file.fill($0, at: 0) }
        return done == length ? data : nil
    }

    /// Keeps a picture. A full disk or a folder that cannot be written is no error.
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

    /// Of the key, too: an entry under another one's name is not whole.
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

    /// Counts what has been added; beyond the limit, removes what was used the longest time ago.
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

    /// Brings the store to nine tenths of its limit, where it is above that. Other processes may add to it
    /// meanwhile, and count by themselves.
    ///
    /// - Returns: what the entries that are left take up.
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
            // Drafts that somebody left are among them; one that is being written is the newest.
            try? shard.removeFile(entry.name)
            size -= entry.size
        }
        return size
    }
}

extension PhotoLibrary {
    /// The library's thumbnails.
    ///
    /// - Parameter limit: What all of them may take up, in bytes.
    package func thumbnails(limit: Int) -> ThumbnailStore {
        ThumbnailStore(root: root, limit: limit)
    }
}
