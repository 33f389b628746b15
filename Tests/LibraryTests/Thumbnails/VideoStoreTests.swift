// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import TestSupport
import Testing

/// The cache of converted videos, which is never required and never trusted.
@Suite("video cache")
struct VideoStoreTests {
    private let folder: TemporaryFolder
    private let library: PhotoLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = try PhotoLibrary.create(at: folder.file("Test.editlibrary"))
    }

    private func key(_ number: Int) throws -> ContentKey {
        let digits = String(number, radix: 16)
        return try #require(
            ContentKey(String(repeating: "0", count: 32 - digits.count) + digits))
    }

    private func content(_ number: Int, count: Int = 3_000_000) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
    }

    private func video(_ number: Int, count: Int = 3_000_000) throws -> VideoStore.Video {
        let path = try folder.write(content(number, count: count), to: "video\(number)-\(count)")
        return VideoStore.Video(
            file: try OpenFile(path, O_RDONLY), size: PixelSize(width: 320, height: 240),
            duration: 1.25)
    }

    private func path(_ key: ContentKey) -> String {
        "\(library.path)/cache/videos/\(key.description.prefix(2))/\(key)"
    }

    @Test("a stored video is read back, also by another process, followed by one box of 64 bytes")
    func kept() throws {
        let store = library.convertedVideos(limit: 1 << 30)
        let key = try key(1)
        #expect(store.video(key) == nil)
        store.keep(try video(1), key)
        let found = try #require(library.convertedVideos(limit: 1 << 30).video(key))
        #expect(found.size == PixelSize(width: 320, height: 240) && found.duration == 1.25)
        let stored = try Data(contentsOf: URL(fileURLWithPath: path(key)))
        #expect(stored.dropLast(64) == content(1))
        #expect(Array(stored.suffix(64).prefix(8)) == [0, 0, 0, 64] + Array("free".utf8))
        #expect(try store.video(self.key(2)) == nil)
    }

    @Test(
        "a truncated, changed, extended or foreign entry is removed and not used",
        arguments: ["cut", "empty", "flipped", "size", "longer", "other"])
    func damaged(_ damage: String) throws {
        let store = library.convertedVideos(limit: 1 << 30)
        let (key, other) = (try key(1), try key(2))
        store.keep(try video(1), key)
        store.keep(try video(2), other)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path(key)))
        switch damage {
        case "cut": bytes = bytes.dropLast()
        case "empty": bytes = Data()
        case "flipped": bytes[bytes.count / 2] ^= 1
        case "size": bytes[bytes.count - 9] ^= 1
        case "longer": bytes.append(0)
        default: bytes = try Data(contentsOf: URL(fileURLWithPath: path(other)))
        }
        try bytes.write(to: URL(fileURLWithPath: path(key)))
        #expect(store.video(key) == nil)
        #expect(!FileManager.default.fileExists(atPath: path(key)))
        store.keep(try video(1), key)
        #expect(store.video(key) != nil)
    }

    @Test("the limit is kept by evicting the least recently used, and nothing larger is stored")
    func eviction() throws {
        let store = library.convertedVideos(limit: 100_000)
        store.keep(try video(99, count: 100_000), try key(99))
        #expect(try store.video(key(99)) == nil)
        for number in 0..<12 {
            let key = try key(number)
            store.keep(try video(number, count: 10_000), key)
            // The tenth exceeds the limit, because of the boxes at the ends.
            var times = [
                timespec(tv_sec: 1000 + number, tv_nsec: 0),
                timespec(tv_sec: 1000 + number, tv_nsec: 0),
            ]
            if FileManager.default.fileExists(atPath: path(key)) {
                #expect(utimensat(AT_FDCWD, path(key), &times, 0) == 0)
            }
        }
        #expect(try store.video(key(0)) == nil)
        #expect(try store.video(key(11)) != nil)
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: "\(library.path)/cache/videos"
        ).filter { $0.count > 30 }
        #expect((6...9).contains(files.count))
    }
}
