// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

import Hashing

/// A cache of small encoded images in the library's `cache/thumbnails`, keyed by a hash of
/// everything that determines them. Each is a file, in one of 256 folders
/// (docs/design/decisions/0025-image-requests.md).
///
/// It may be deleted at any time and is untrusted: an invalid entry is removed. Operations are best
/// effort: I/O errors are treated as missing entries.
package final class ThumbnailStore: Sendable {
    private let folder: CacheFolder

    /// The maximum size of an image in bytes. Larger ones are not stored.
    package static let maximumEntry = 4 << 20
    private static let magic = Array("EDTHUMB1".utf8)
    /// The length of the header: the magic, the hash of key, size and file, and the size as two
    /// 32-bit big-endian numbers.
    private static let headerLength = magic.count + 32 + 8

    /// - Parameters:
    ///   - root: The library's folder.
    ///   - limit: The maximum total size of all entries in bytes.
    init(root: Folder, limit: Int) {
        folder = CacheFolder(root: root, name: "thumbnails", limit: limit)
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
        guard let file = folder.entry(key.hex), let status = try? file.systemStatus() else {
            return nil
        }
        let length = Int(status.st_size)
        guard let data = Self.read(file, length), let picture = Self.picture(in: data, key) else {
            folder.remove(key.hex)
            return nil
        }
        folder.markUsed(file, status)
        return picture
    }

    /// Returns whether there is an entry for a key, valid or not.
    package func contains(_ key: SHA256Digest) -> Bool {
        folder.entry(key.hex) != nil
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
            let height = UInt32(exactly: picture.size.height)
        else { return }
        let content = [width, height].flatMap(Self.bytes) + picture.data
        let entry = Self.magic + Self.digest(of: content, key) + content
        folder.keep(key.hex) { file in
            try entry.withUnsafeBytes { try file.write($0, at: 0) }
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
}
