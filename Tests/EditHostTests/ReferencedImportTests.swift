// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Photos that are imported by reference, or moved.
@Suite("references and moves")
struct ReferencedImportTests {
    private let studio: TestStudio
    private let picture = TestPicture.gradient()
    private let path: String

    init() throws {
        studio = try TestStudio()
        path = try studio.folder.write(picture.encoded(), to: "picture.png")
    }

    private func importing(
        _ path: String, by method: ImportMethod
    ) async throws -> ImportResult {
        var result: ImportResult?
        try await studio.host.importPhotos(at: [path], into: studio.library, by: method) {
            result = $0
        }
        return try #require(result)
    }

    private func blobCount() throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: studio.library.path + "/blobs")
            .count { $0.contains("/") }
    }

    private func exported(
        _ asset: String, _ change: (inout ExportOptions) -> Void = { _ in }
    ) async throws -> TestPicture {
        var options = ExportOptions()
        change(&options)
        let path = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("out"), options)
        return try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test("A-01 a referenced photo is edited, exported and re-rendered like any other")
    func reference() async throws {
        let result = try await importing(path, by: .reference)
        let asset = try #require(result.assetIdentifier)
        #expect(result.status == .imported && result.error == nil)
        #expect(try blobCount() == 0)
        #expect(try await exported(asset) == picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        #expect(try studio.current(asset) == picture.adding(30))
        var statuses: [RerenderResult.Status] = []
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            statuses.append($0.status)
        }
        #expect(statuses == [.rendered])
        // The key depends on the bytes, not on their location.
        let other = try TestStudio()
        let stored = try await other.add(picture)
        try await other.edit(stored, "adder", ["amount": "30"])
        func key(_ studio: TestStudio, _ asset: String) throws -> String? {
            try studio.library.history(ofAsset: asset).chain.last?.current?.key.hex
        }
        #expect(try key(other, stored) == key(studio, asset))
        await other.host.shutDown()
        await studio.host.shutDown()
    }

    @Test("a missing or replaced file gives a typed error; stored renditions are still shown")
    func away() async throws {
        let asset = try #require(try await importing(path, by: .reference).assetIdentifier)
        let plain = try await studio.add(
            TestPicture.gradient(seed: 2).encoded(), named: "other.png")
        try await studio.edit(asset, "adder", ["amount": "30"])
        try await studio.edit(plain, "adder", ["amount": "30"])
        let history = try studio.library.history(ofAsset: asset)
        let spare = path + ".spare"
        try FileManager.default.moveItem(atPath: path, toPath: spare)
        for code in [LibraryError.Code.originalMissing, .referencedFileChanged] {
            if code == .referencedFileChanged {
                try TestPicture.gradient(seed: 1).encoded().write(to: URL(fileURLWithPath: path))
            }
            var found: [String: String] = [:]
            try await studio.host.rerender(
                [asset, plain], in: studio.library, force: true, jobs: 1
            ) {
                let failure = ($0.error as? LibraryError)?.code.rawValue
                found[$0.assetIdentifier] = failure ?? $0.status.rawValue
            }
            #expect(found == [asset: code.rawValue, plain: "rendered"])
            await #expect { try await studio.edit(asset, "adder", ["amount": "40"]) } throws: {
                ($0 as? LibraryError)?.code == code
            }
            await #expect { _ = try await exported(asset) { $0.version = .original } } throws: {
                ($0 as? LibraryError)?.code == code
            }
            #expect(try await exported(asset) == picture.adding(30))
            let converted = try await exported(asset) { $0.format = .tiff }
            #expect(converted == picture.adding(30))
            #expect(try studio.library.history(ofAsset: asset) == history)
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: spare, toPath: path)
        try await studio.edit(asset, "adder", ["amount": "40"])
        #expect(try studio.current(asset) == picture.adding(40))
        await studio.host.shutDown()
    }

    @Test("the same file is recognised whether copied or referenced")
    func duplicates() async throws {
        let asset = try await importing(path, by: .reference).assetIdentifier
        for method in ImportMethod.allCases {
            let again = try await importing(path, by: method)
            #expect(again.status == .duplicate && again.assetIdentifier == asset)
            // A referenced file is not removed.
            #expect(FileManager.default.fileExists(atPath: path))
        }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        let moved = try await importing(path + ".moved", by: .reference)
        #expect(moved.status == .duplicate && moved.assetIdentifier == asset)
        let found = try studio.library.asset(withLocalIdentifier: #require(asset))
        #expect(try studio.library.isLocallyAvailable(found))
        await studio.host.shutDown()
    }

    @Test("a moved file is in the library and removed from its folder, also if already present")
    func move() async throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let result = try await importing(path, by: .move)
        let asset = try #require(result.assetIdentifier)
        #expect(result.status == .imported && result.warnings == [])
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try studio.currentBytes(asset) == bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try await importing(path, by: .move).status == .duplicate)
        #expect(!FileManager.default.fileExists(atPath: path))
        let broken = try studio.folder.write(bytes.prefix(100), to: "broken.png")
        #expect(try await importing(broken, by: .move).status == .rejected)
        #expect(FileManager.default.fileExists(atPath: broken))
        await studio.host.shutDown()
    }

    @Test("files in the library are neither moved nor referenced, nor is a link's target removed")
    func ownFiles() async throws {
        let asset = try await studio.add(picture)
        let blob = try #require(studio.library.history(ofAsset: asset).original?.blob)
        let own = studio.blobPath(blob)
        for method in [ImportMethod.move, .reference] {
            #expect(try await importing(own, by: method).status == .rejected)
        }
        #expect(FileManager.default.fileExists(atPath: own))
        let link = studio.folder.file("link.png")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let result = try await importing(link, by: .move)
        #expect(result.status == .duplicate && result.warnings.count == 1)
        #expect(FileManager.default.fileExists(atPath: path))
        await studio.host.shutDown()
    }
}
