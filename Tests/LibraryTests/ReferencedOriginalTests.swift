// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import TestSupport
import Testing

@testable import Library

/// Originals outside the library.
@Suite("referenced originals")
struct ReferencedOriginalTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary
    private let path: String
    private let asset: Asset

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
        path = resolved(temporary.folder) + "/a picture #1 100%? ä\u{308}ö\n.jpg"
        try Data("the bytes".utf8).write(to: URL(fileURLWithPath: path))
        asset = try library.reference(path)
    }

    private func original() throws -> AssetResource {
        try #require(library.history(ofAsset: asset.id).original)
    }

    private func replace(with text: String, secondsLater seconds: Int = 10) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        var times = [timespec(tv_sec: 1_700_000_000 + seconds, tv_nsec: 5), timespec()]
        times[1] = times[0]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    }

    @Test("A-01 a referenced original stores no bytes and is opened in its folder")
    func opening() throws {
        let resource = try original()
        #expect(resource.blob == nil && resource.size == 9)
        #expect(try library.count("blob") == 0)
        #expect(resource.contentHash == (try FileReference(path: path).hash))
        let url = try #require(resource.url)
        #expect(url.hasPrefix("file:///") && url.allSatisfy { $0.isASCII && $0 != " " })
        #expect(URL(string: url)?.path == URL(fileURLWithPath: path).path)
        #expect(try library.text(of: resource) == "the bytes")
        #expect(try library.isLocallyAvailable(asset))
        #expect(try library.asset(withOriginalHash: #require(resource.contentHash)) == asset)
        #expect(try library.check(readingDataOf: 100).findings == [])
    }

    @Test("A-01 an asset with a missing file is non-local and otherwise intact")
    func away() throws {
        try library.edit(asset.id, recipe: "one", render: "render")
        try FileManager.default.removeItem(atPath: path)
        #expect(try !library.isLocallyAvailable(asset))
        #expect(try library.identifiersOfAssetsAway() == [asset.id])
        let error = try libraryError { _ = try library.openOriginal(original()) }
        #expect(error.code == .originalMissing && error.assetIdentifier == asset.id)
        let fetched = try #require(try Asset.fetchAssets(in: library).first)
        try library.performChanges { try AssetChangeRequest(for: fetched).isFavorite = true }
        #expect(try library.asset(withLocalIdentifier: asset.id).isFavorite)
        let current = try library.history(ofAsset: asset.id).chain.last?.current?.blob
        #expect(try library.text(current) == "render")
        #expect(
            try Asset.fetchAssets(
                withOriginalURLs: [#require(original().url)], in: library
            ).localIdentifiers() == [asset.id])
    }

    @Test("K-10 with the file missing or replaced, revert fails and changes nothing")
    func revert() throws {
        try library.edit(asset.id, recipe: "one", render: "render")
        let spare = path + ".away"
        try FileManager.default.moveItem(atPath: path, toPath: spare)
        let before = try library.history(ofAsset: asset.id)
        func code() throws -> LibraryError.Code {
            try libraryError {
                try library.performChanges {
                    try AssetChangeRequest(for: before.asset).revertAssetContentToOriginal()
                }
            }.code
        }
        #expect(try code() == .originalMissing)
        try replace(with: "THE BYTES")
        #expect(try code() == .referencedFileChanged)
        #expect(try library.history(ofAsset: asset.id) == before)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: spare, toPath: path)
        try library.performChanges {
            try AssetChangeRequest(for: before.asset).revertAssetContentToOriginal()
        }
        #expect(try library.history(ofAsset: asset.id).position == 0)
    }

    @Test("K-10 undo to the original needs no pixels and succeeds while the file is missing")
    func undoWithoutFile() throws {
        try library.edit(asset.id, recipe: "one", render: "render")
        func move(_ body: (AssetChangeRequest) throws -> Void) throws -> Int {
            let now = try library.asset(withLocalIdentifier: asset.id)
            try library.performChanges { try body(AssetChangeRequest(for: now)) }
            return try library.history(ofAsset: asset.id).position
        }
        try replace(with: "THE BYTES")
        #expect(try move { try $0.undo() } == 0)
        try FileManager.default.removeItem(atPath: path)
        #expect(try move { try $0.redo() } == 1)
        #expect(try move { try $0.undo() } == 0)
        let undone = try library.asset(withLocalIdentifier: asset.id)
        #expect(!undone.hasAdjustments && undone.pixelWidth == 40 && undone.pixelHeight == 30)
    }

    @Test("a replaced referenced file is detected; a touched one is not")
    func changed() throws {
        for text in ["THE BYTES", "other", ""] {
            try replace(with: text)
            let error = try libraryError { _ = try library.openOriginal(original()) }
            #expect(error.code == .referencedFileChanged && error.path == path)
        }
        try replace(with: "the bytes", secondsLater: 99)
        #expect(try library.text(of: original()) == "the bytes")
        try FileManager.default.removeItem(atPath: path)
        for make in [{ mkfifo($0, 0o600) }, { mkdir($0, 0o700) }] as [(String) -> Int32] {
            #expect(make(path) == 0)
            let error = try libraryError { _ = try library.openOriginal(original()) }
            #expect(error.code == .originalMissing)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("check reports missing and changed files, which are not damage")
    func check() throws {
        try replace(with: "THE BYTES")
        let changed = try library.check()
        #expect(changed.findings.map(\.kind) == [.referencedFileChanged])
        #expect(changed.severity == .notice)
        #expect(changed.findings[0].path == path && changed.findings[0].assetIdentifier == asset.id)
        try FileManager.default.removeItem(atPath: path)
        let away = try library.check(readingDataOf: 100)
        #expect(away.findings.map(\.kind) == [.referencedFileAway] && away.severity == .notice)
        #expect(try library.repair(away) == [.none])
    }

    @Test("check --read-data detects changed bytes of equal size and time")
    func checkReading() throws {
        var status = stat()
        #expect(stat(path, &status) == 0)
        try Data("THE BYTES".utf8).write(to: URL(fileURLWithPath: path))
        #expect(utimensat(AT_FDCWD, path, [status.st_mtim, status.st_mtim], 0) == 0)
        #expect(try library.check().findings == [])
        #expect(
            try library.check(readingDataOf: 100).findings.map(\.kind) == [.referencedFileChanged])
    }

    @Test("renditions of a missing file are not pruned")
    func prune() throws {
        try library.edit(asset.id, recipe: "one", render: "first")
        try library.edit(asset.id, recipe: "two", render: "second")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        #expect(try library.prune().renditionCount == 0)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(try library.prune().renditionCount == 1)
    }

    @Test("equal bytes are one asset, stored or referenced, and restore a missing one")
    func duplicates() throws {
        #expect(try library.reference(path).id == asset.id)
        let other = resolved(temporary.folder) + "/other.jpg"
        try Data("the bytes".utf8).write(to: URL(fileURLWithPath: other))
        #expect(try library.reference(other).id == asset.id)
        // The first file still exists, so the reference is kept and no bytes are stored.
        let stored = try library.stage("the bytes")
        try library.performChanges { _ = try AssetCreationRequest.photo(stored, .sample()) }
        #expect(try original().url == FileAddress.url(ofPath: path))
        #expect(try library.count("blob") == 0)
        try FileManager.default.removeItem(atPath: path)
        #expect(try library.reference(other).id == asset.id)
        #expect(try original().url == FileAddress.url(ofPath: other))
        #expect(try library.isLocallyAvailable(asset))
        try FileManager.default.removeItem(atPath: other)
        let blob = try library.stage("the bytes")
        try library.performChanges { _ = try AssetCreationRequest.photo(blob, .sample()) }
        #expect(try original().blob == blob.hash && original().url == nil)
        #expect(try library.count("asset") == 1)
        #expect(try library.check(readingDataOf: 100).findings == [])
    }

    @Test("addresses hold paths byte for byte, and others are invalid")
    func addresses() {
        for path in ["/a", "/a b/%41?#&;", "/ä/ä\u{308}", "/\n\t\u{1F600}~-_.jpg"] {
            let url = FileAddress.url(ofPath: path)
            #expect(FileAddress.path(ofURL: url).map { Array($0.utf8) } == Array(path.utf8))
        }
        // A path that is not UTF-8 keeps its bytes.
        let path = FileAddress.path(ofURL: "file:///%FFa")
        #expect(path?.pathBytes == [0x2F, 0xFF, 0x61])
        #expect(path.map(FileAddress.url) == "file:///%FFa")
        for url in [
            "", "file://", "file://host/a", "file:///%", "file:///%4", "file:///%00",
            "https://example.org/a", "/a",
        ] {
            #expect(FileAddress.path(ofURL: url) == nil, "\(url)")
        }
    }
}

/// Tests of which source files are removed, and when.
@Suite("moving into the library")
struct MovingTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary
    private let path: String

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
        path = temporary.folder + "/source.jpg"
        try Data("the bytes".utf8).write(to: URL(fileURLWithPath: path))
    }

    private func code(_ source: SourceFile, _ hash: SHA256Digest) throws -> LibraryError.Code {
        let code = try libraryError { try library.remove(source, storedAs: hash) }.code
        #expect(FileManager.default.fileExists(atPath: source.path))
        return code
    }

    @Test("a file is removed only after the library has its row and its bytes")
    func removal() throws {
        let source = try SourceFile(path: path)
        let staged = try library.stage(source)
        #expect(try code(source, staged.hash) == .blobMissing)
        try library.performChanges { _ = try AssetCreationRequest.photo(staged, .sample()) }
        let blob = library.layout.blob(staged.hash)
        #expect(chmod(blob, 0o644) == 0)
        try Data("damaged !".utf8).write(to: URL(fileURLWithPath: blob))
        #expect(try code(source, staged.hash) == .blobMissing)
        try Data("the bytes".utf8).write(to: URL(fileURLWithPath: blob))
        try library.remove(source, storedAs: staged.hash)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("changed files, links and the library's own files are not removed")
    func others() throws {
        let source = try SourceFile(path: path)
        let staged = try library.stage(source)
        try library.performChanges { _ = try AssetCreationRequest.photo(staged, .sample()) }
        let link = temporary.folder + "/link.jpg"
        #expect(symlink(path, link) == 0)
        #expect(try code(SourceFile(path: link), staged.hash) == .cannotWrite)
        let own = try SourceFile(path: library.layout.blob(staged.hash))
        #expect(library.isKeptByLibrary(own) && !library.isKeptByLibrary(source))
        let another = try TemporaryLibrary()
        _ = try another.library.importAsset("of another library")
        let shard = try #require(try Folders.names(in: another.library.layout.blobs).first)
        let folder = another.library.layout.blobs + "/" + shard
        let foreign = try SourceFile(
            path: folder + "/" + #require(try Folders.names(in: folder).first))
        #expect(library.isKeptByLibrary(foreign))
        #expect(try code(own, staged.hash) == .blobMissing)
        // A hard link to the library's own file.
        #expect(Glibc.link(library.layout.blob(staged.hash), temporary.folder + "/hard") == 0)
        let hard = try SourceFile(path: temporary.folder + "/hard")
        #expect(try code(hard, staged.hash) == .blobMissing)
        try Data("written to".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try code(source, staged.hash) == .cannotRead)
    }

    @Test("a file written to during the copy is not imported")
    func changing() throws {
        let source = try SourceFile(path: path)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data("OTHER".utf8))
        try file.close()
        #expect(try libraryError { _ = try library.stage(source) }.code == .cannotRead)
    }
}

/// A folder's path with symbolic links resolved, as in references.
private func resolved(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
}

extension PhotoLibrary {
    /// Imports a file by reference.
    func reference(_ path: String) throws -> Asset {
        let reference = try FileReference(path: path)
        var request: AssetCreationRequest?
        try performChanges {
            let new = try AssetCreationRequest(mediaType: .image)
            try new.addResource(
                .photo, reference: reference, filename: "picture.jpg", facts: .sample())
            request = new
        }
        guard case .duplicate(let existing) = request?.result else {
            return try asset(
                withLocalIdentifier: #require(request).placeholderForCreatedAsset.localIdentifier)
        }
        return try asset(withLocalIdentifier: existing)
    }

    /// The bytes of a resource as text.
    func text(of resource: AssetResource) throws -> String {
        let file = try openOriginal(resource)
        var bytes = [UInt8](repeating: 0, count: try file.size())
        _ = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
