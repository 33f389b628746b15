// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Testing

@testable import Library

@Suite struct StoringTests {
    @Test("staging hashes and copies a file")
    func stagingHashesAndCopies() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let blob = try library.stage("abc")
        // The SHA-256 of "abc", from FIPS 180-2.
        #expect(
            blob.hash.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(blob.size == 3)
        // Three and a half chunks.
        let large = (0..<3_670_016).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        let staged = try library.stage(bytes: large)
        #expect(staged.size == large.count)
        #expect(try Data(contentsOf: URL(fileURLWithPath: staged.path)) == Data(large))
    }

    @Test("staging checks the declared size")
    func stagingChecksTheDeclaredSize() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let path = temporary.folder + "/source"
        try Data("four".utf8).write(to: URL(fileURLWithPath: path))
        let file = try OpenFile(path, O_RDONLY)
        #expect(try library.stage(file, expectedSize: 4).size == 4)
        for size in [3, 5, 0] {
            let error = try libraryError { _ = try library.stage(file, expectedSize: size) }
            #expect(error.code == .sizeMismatch)
        }
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try libraryError { _ = try library.stage(path: path) }.code == .sizeMismatch)
        let nothing = try libraryError { _ = try library.stage(path: path + "x") }
        #expect(nothing.code == .cannotRead)
        let folder = try libraryError { _ = try library.stage(path: temporary.folder) }
        #expect(folder.code == .cannotRead)
        #expect(try library.session?.folder.names() == ["lock"])
    }

    @Test("a file far longer than declared is not read to its end")
    func endlessFile() throws {
        let temporary = try TemporaryLibrary()
        let path = temporary.folder + "/endless"
        let file = try OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
        // 256 GiB without a block on the disk, which would take minutes to read.
        try #require(ftruncate(file.descriptor, 256 << 30) == 0)
        let error = try libraryError {
            _ = try temporary.library.stage(file, expectedSize: 4)
        }
        #expect(error.code == .sizeMismatch)
    }

    @Test("staged bytes do not change with their source")
    func stagedBytesDoNotFollowTheirSource() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let path = temporary.folder + "/source"
        try Data("before".utf8).write(to: URL(fileURLWithPath: path))
        let file = try OpenFile(path, O_RDWR)
        let blob = try library.stage(file)
        try Array("after!".utf8).withUnsafeBytes { try file.write($0, at: 0) }
        try library.performChanges { _ = try AssetCreationRequest.photo(blob, .sample()) }
        #expect(try library.text(blob.hash) == "before")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("committed files are read-only and named by their hash")
    func committedFilesAreReadOnlyAndNamedByTheirHash() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("abc")
        let hash = try #require(library.history(ofAsset: asset.id).original?.blob)
        let path = library.path + "/blobs/" + hash.hex.prefix(2) + "/" + hash.hex
        #expect(try Folders.status(path)?.permissions == 0o444)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("abc".utf8))
        let flags = fcntl(try library.openBlob(hash).descriptor, F_GETFD)
        #expect(flags & FD_CLOEXEC != 0)
    }

    @Test("importing the same bytes again is a duplicate")
    func importingTheSameBytesAgainIsADuplicate() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let first = try library.importAsset("same")
        let blob = try library.stage("same")
        #expect(try library.asset(withOriginalHash: blob.hash) == first)
        let token = try library.currentChangeToken
        var request: AssetCreationRequest?
        try library.performChanges { request = try .photo(blob, .sample()) }
        #expect(request?.result == .duplicate(existing: first.id))
        #expect(try library.currentChangeToken == token)
        #expect(try Asset.fetchAssets(in: library).count == 1)
    }

    @Test("concurrent imports of the same bytes create one asset")
    func importsOfTheSameBytesAtOnceGiveOneAsset() async throws {
        let temporary = try TemporaryLibrary()
        let openings = [temporary.library, try temporary.reopen()]
        let results = try await withThrowingTaskGroup(
            of: AssetCreationRequest.Result?.self
        ) { group in
            for number in 0..<8 {
                let library = openings[number % 2]
                group.addTask {
                    let blob = try library.stage("same")
                    var request: AssetCreationRequest?
                    try library.performChanges { request = try .photo(blob, .sample()) }
                    return request?.result
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 == .created } == 1)
        let asset = try #require(try Asset.fetchAssets(in: temporary.library).first)
        #expect(results.count { $0 == .duplicate(existing: asset.id) } == 7)
    }

    @Test("an asset can have several resources")
    func anAssetCanHaveSeveralResources() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let raw = try library.stage("raw")
        let jpeg = try library.stage("jpeg")
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(.photo, blob: raw, filename: "1.dng", facts: .sample())
            try request.addResource(
                .alternatePhoto, blob: jpeg, filename: "1.jpg", facts: .sample())
        }
        let asset = try #require(try Asset.fetchAssets(in: library).first)
        let originals = try library.history(ofAsset: asset.id).originals
        #expect(originals.map(\.type) == [.photo, .alternatePhoto])
        #expect(originals.map(\.originalFilename) == ["1.dng", "1.jpg"])
        let empty = try libraryError {
            try library.performChanges { _ = try AssetCreationRequest(mediaType: .image) }
        }
        #expect(empty.code == .invalidRequest)
    }

    @Test("a file with the right name and wrong bytes is not trusted")
    func aFileWithTheRightNameAndWrongBytesIsNotTrusted() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let blob = try library.stage("right")
        let path = library.layout.blob(blob.hash)
        try Folders.makeIfNeeded(library.layout.shard(of: blob.hash))
        try Data("wrong".utf8).write(to: URL(fileURLWithPath: path))
        try library.performChanges { _ = try AssetCreationRequest.photo(blob, .sample()) }
        #expect(try library.text(blob.hash) == "right")
        #expect(try Folders.status(path)?.permissions == 0o444)
    }

    @Test("a state has a stored picture while the file of its last rendition exists")
    func storedPicture() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("original")
        #expect(library.storedPicture(of: try library.history(ofAsset: asset.id).chain) == nil)
        try library.edit(asset.id, recipe: "one", render: "first")
        try library.edit(asset.id, recipe: "two", render: "second")
        let chain = try library.history(ofAsset: asset.id).chain
        let pictures = chain.indices.map { library.storedPicture(of: Array(chain[...$0])) }
        #expect(try pictures.map { try library.text($0?.blob) } == ["first", "second"])
        let last = try #require(pictures.last ?? nil)
        try FileManager.default.removeItem(atPath: library.layout.blob(last.blob))
        #expect(library.storedPicture(of: chain) == nil)
        #expect(library.storedPicture(of: Array(chain.dropLast())) == pictures.first)
    }

    @Test("the schema rejects invalid rows")
    func theSchemaRefusesWhatMustNotBe() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        try library.edit(asset.id, recipe: "a", render: "after a")
        let (pool, _) = try library.writer()
        let wrong = [
            "UPDATE asset SET position = 7",
            "UPDATE asset SET adjustment_format = NULL",
            "UPDATE asset SET latitude = 91, longitude = 0",
            "UPDATE asset SET longitude = 1",
            "UPDATE asset SET is_favorite = 2",
            "UPDATE edit SET adjustment_data = x''",
            "UPDATE edit SET parent_id = id",
            "UPDATE rendition SET blob_hash = '\(SHA256Digest.sample("none"))'",
            "UPDATE resource SET blob_hash = NULL",
            "DELETE FROM blob",
            "DELETE FROM edit",
            "DELETE FROM state",
            "UPDATE asset SET pixel_width = 'wide'",
        ]
        for sql in wrong {
            #expect(throws: (any Error).self, "\(sql)") {
                try pool.write { try $0.execute(sql: sql) }
            }
        }
    }
}
