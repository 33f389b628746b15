// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

import Hashing

@testable import Library

/// Files with holes.
@Suite("sparse files")
struct SparseFileTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    /// A sparse file with bytes at some offsets, and its whole contents.
    private func file(
        _ name: String, length: Int, bytes: [Int: String]
    ) throws -> (path: String, bytes: Data) {
        let path = temporary.folder + "/" + name
        var whole = Data(count: length)
        let number = open(path, O_RDWR | O_CREAT | O_EXCL, 0o644)
        try #require(number >= 0)
        defer { close(number) }
        try #require(ftruncate(number, off_t(length)) == 0)
        for (offset, text) in bytes {
            whole.replaceSubrange(offset..<offset + text.utf8.count, with: Array(text.utf8))
            try #require(pwrite(number, text, text.utf8.count, off_t(offset)) == text.utf8.count)
        }
        return (path, whole)
    }

    /// The number of bytes that a file occupies on disk.
    private func stored(_ path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    private static let shapes: [[Int: String]] = [
        [:], [0: "at the start"], [(32 << 20) - 3: "end"],
        [5_000_000: "in the middle", 20_000_001: "and later"],
        [0: "start", (32 << 20) - 3: "end"],
    ]

    @Test("copied files stay sparse and have the hash of all bytes", arguments: shapes)
    func copies(bytes: [Int: String]) throws {
        let (path, whole) = try file("sparse", length: 32 << 20, bytes: bytes)
        try #require(try stored(path) < 1 << 20)
        let expected = SHA256Digest(bytes: SHA256.hash(data: whole))
        let staged = try library.stage(path: path)
        #expect(staged.hash == expected && staged.size == whole.count)
        #expect(try stored(staged.path) < 1 << 20)
        #expect(try Data(contentsOf: URL(fileURLWithPath: staged.path)) == whole)
        #expect(try FileReference(path: path).hash == expected)
    }

    @Test("a sparse original stays sparse in the library, its backup and a restore")
    func backups() throws {
        let (path, _) = try file("sparse", length: 40 << 20, bytes: [0: "a", 30_000_000: "b"])
        let blob = try library.stage(path: path)
        try library.performChanges { _ = try AssetCreationRequest.photo(blob, .sample()) }
        let (backup, restored) = (temporary.folder + "/Backup", temporary.folder + "/Restored")
        #expect(try library.backUp(to: backup).failures.isEmpty)
        #expect(try PhotoLibrary.restore(from: backup, to: restored).failures.isEmpty)
        for root in [library.path, backup, restored] {
            let place = LibraryLayout(root: root).blob(blob.hash)
            #expect(try stored(place) < 1 << 20)
            #expect(try Folders.status(place)?.st_size == 40 << 20)
        }
        #expect(try library.check(readingDataOf: 100).findings == [])
    }

    @Test("a file that claims more bytes than a library stores is rejected")
    func tooLarge() throws {
        let path = temporary.folder + "/large"
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        try #require(truncate(path, off_t(BlobStore.maximumSize) + 1) == 0)
        let error = try libraryError { _ = try library.stage(path: path) }
        #expect(error.code == .sizeMismatch && error.message.contains("256 GiB"))
        #expect(error.path == path)
    }

    @Test("the copy and the hash of a long hole can be cancelled, and nothing is damaged then")
    func cancellation() async throws {
        let (path, _) = try file("short", length: 1 << 20, bytes: [0: "a"])
        try #require(truncate(path, 1 << 30) == 0)
        let library = library
        let asset = try library.reference(path)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try FileReference(path: path) }, { _ = try await library.stage(path: path) },
            { _ = try Asset.fetchAssets(withOriginalURLs: [path], in: library) },
            { _ = try library.check(readingDataOf: 100) },
        ]
        for call in calls {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await call()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(try library.check(readingDataOf: 100).findings == [])
        #expect(try library.history(ofAsset: asset.id).original?.size == 1 << 30)
    }

    @Test("the content of a file is compared without reading it into memory")
    func comparedContent() throws {
        let (path, bytes) = try file("long", length: 3 << 20, bytes: [0: "a", 2 << 20: "b"])
        let hash = SHA256Digest(bytes: SHA256.hash(data: bytes))
        #expect(try SourceFile(path: path).hasContent(hash, size: bytes.count))
        #expect(try !SourceFile(path: path).hasContent(.sample("other"), size: bytes.count))
        // More than the memory of a computer.
        try #require(truncate(path, 1 << 42) == 0)
        #expect(try !SourceFile(path: path).hasContent(hash, size: bytes.count))
    }

    @Test("copies leave one hundredth of a small disk free, and 64 MiB of a large one")
    func spaceLeftFree() {
        #expect(BlobStore.spaceLeftFree(of: 5_000_000) == 50_000)
        #expect(BlobStore.spaceLeftFree(of: 1 << 40) == 67_108_864)
        #expect(BlobStore.spaceLeftFree(of: 0) == 0)
    }
}
