// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Library
import TestSupport
import Testing

/// The thumbnail cache, which is never required and never trusted.
@Suite("thumbnail cache")
struct ThumbnailStoreTests {
    private static func key(_ number: Int) throws -> SHA256Digest {
        let digits = String(number, radix: 16)
        return try #require(
            SHA256Digest(hex: String(repeating: "0", count: 64 - digits.count) + digits))
    }

    private static func picture(_ number: Int, count: Int = 1000) -> ThumbnailStore.Picture {
        .init(
            data: Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }),
            size: PixelSize(width: 100 + number, height: 50))
    }

    private let folder: TemporaryFolder
    private let library: PhotoLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = try PhotoLibrary.create(at: folder.file("Test.editlibrary"))
    }

    private var cache: String { "\(library.path)/cache" }

    private func path(_ key: SHA256Digest) -> String {
        "\(cache)/thumbnails/\(key.hex.prefix(2))/\(key.hex)"
    }

    @Test("a stored thumbnail is read back, also by another process, and nothing else is")
    func kept() throws {
        let store = library.thumbnails(limit: 1 << 20)
        let key = try Self.key(1)
        #expect(store.picture(key) == nil && !store.contains(key))
        store.keep(Self.picture(1), key)
        let found = try #require(library.thumbnails(limit: 1 << 20).picture(key))
        #expect(found.data == Self.picture(1).data && found.size == Self.picture(1).size)
        #expect(try store.picture(Self.key(2)) == nil)
    }

    @Test(
        "a truncated, changed, extended or foreign entry is removed and not shown",
        arguments: ["cut", "empty", "garbage", "flipped", "longer", "other", "header"])
    func damaged(_ damage: String) throws {
        let store = library.thumbnails(limit: 1 << 20)
        let (key, other) = (try Self.key(1), try Self.key(2))
        store.keep(Self.picture(1), key)
        store.keep(Self.picture(2), other)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path(key)))
        var bytes = whole
        switch damage {
        case "cut": bytes = whole.dropLast()
        case "empty": bytes = Data()
        case "garbage": bytes = Data(repeating: 0x41, count: whole.count)
        case "flipped": bytes[bytes.count - 10] ^= 1
        case "longer": bytes.append(0)
        case "other": bytes = try Data(contentsOf: URL(fileURLWithPath: path(other)))
        default: bytes[45] ^= 1
        }
        try bytes.write(to: URL(fileURLWithPath: path(key)))
        #expect(store.picture(key) == nil)
        #expect(!FileManager.default.fileExists(atPath: path(key)))
        store.keep(Self.picture(1), key)
        #expect(store.picture(key)?.data == Self.picture(1).data)
    }

    @Test(
        "a special file in place of an entry is not opened and is replaced if possible",
        .timeLimit(.minutes(2)), arguments: ["link", "fifo", "folder"])
    func misplaced(_ kind: String) throws {
        let store = library.thumbnails(limit: 1 << 20)
        let key = try Self.key(1)
        store.keep(Self.picture(1), key)
        let entry = path(key)
        let elsewhere = folder.file("elsewhere")
        try FileManager.default.moveItem(atPath: entry, toPath: elsewhere)
        switch kind {
        case "link": #expect(symlink(elsewhere, entry) == 0)
        case "fifo": #expect(mkfifo(entry, 0o600) == 0)
        default:
            try FileManager.default.createDirectory(
                atPath: entry, withIntermediateDirectories: true)
        }
        #expect(store.picture(key) == nil && !store.contains(key))
        store.keep(Self.picture(1), key)
        #expect(store.picture(key)?.data == Self.picture(1).data)
        #expect(FileManager.default.fileExists(atPath: elsewhere))
    }

    @Test(
        "a cache that leads elsewhere is not followed; a deleted one is recreated")
    func folders() throws {
        let store = library.thumbnails(limit: 1 << 20)
        let key = try Self.key(1)
        store.keep(Self.picture(1), key)
        try FileManager.default.removeItem(atPath: cache)
        #expect(store.picture(key) == nil)
        store.keep(Self.picture(1), key)
        #expect(store.picture(key) != nil)
        let elsewhere = folder.file("elsewhere")
        try FileManager.default.moveItem(atPath: "\(cache)/thumbnails", toPath: elsewhere)
        #expect(symlink(elsewhere, "\(cache)/thumbnails") == 0)
        #expect(library.thumbnails(limit: 1 << 20).picture(key) == nil)
        store.keep(Self.picture(2), try Self.key(2))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: elsewhere).count == 2)
    }

    @Test("the cache limit is kept by evicting the least recently used")
    func eviction() throws {
        let store = library.thumbnails(limit: 30_000)
        let keys = try (0..<20).map(Self.key)
        for (index, key) in keys.enumerated() {
            store.keep(Self.picture(index), key)
            var times = [
                timespec(tv_sec: 1000 + index, tv_nsec: 0),
                timespec(tv_sec: 1000 + index, tv_nsec: 0),
            ]
            #expect(utimensat(AT_FDCWD, path(key), &times, 0) == 0)
        }
        // Reading marks it as recently used.
        #expect(store.picture(keys[0]) != nil)
        for number in 20..<40 { store.keep(Self.picture(number), try Self.key(number)) }
        #expect(store.picture(keys[0]) != nil && store.picture(keys[1]) == nil)
        #expect(try store.picture(Self.key(39)) != nil)
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(cache)/thumbnails")
            .filter { $0.count > 60 }
        #expect(files.count <= 30 && files.count >= 24)
    }

    @Test("an unwritable cache is disabled", .ordinaryUser)
    func unwritable() throws {
        let store = library.thumbnails(limit: 1 << 20)
        chmod(cache, 0o500)
        store.keep(Self.picture(1), try Self.key(1))
        #expect(try store.picture(Self.key(1)) == nil)
        chmod(cache, 0o700)
    }
}
