// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Assets created from files and data, as by PhotoKit's creation requests.
@Suite("added resources")
struct AddedResourceTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio()
        studio.host.attach(to: studio.library)
    }

    private func jpeg(seed: Int = 0) throws -> Data {
        try TestPicture.gradient(seed: seed).encoded("jpeg", options: ["Q": 100]) {
            $0.set("exif-ifd2-DateTimeOriginal", to: "2001:02:03 04:05:06")
        }
    }

    private func file(_ data: Data, _ name: String) throws -> URL {
        URL(fileURLWithPath: try studio.folder.write(data, to: name))
    }

    /// Makes an asset and returns its request.
    private func create(
        _ body: @escaping @Sendable (AssetCreationRequest) throws -> Void
    ) async throws -> AssetCreationRequest {
        let made = Mutex<AssetCreationRequest?>(nil)
        try await studio.library.performChanges {
            let request = try AssetCreationRequest.forAsset()
            try body(request)
            made.withLock { $0 = request }
        }
        return try #require(made.withLock { $0 })
    }

    private func asset(_ request: AssetCreationRequest) throws -> Asset {
        try studio.asset(request.placeholderForCreatedAsset.localIdentifier)
    }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test("a photo added as file or data is decoded, with its companions")
    func added() async throws {
        let url = try file(jpeg(), "IMG_1.JPG")
        let modified = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: modified], ofItemAtPath: url.path)
        let sidecar = Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
        let fromFile = try asset(
            await create { request in
                try request.addResource(with: .photo, fileURL: url)
                try request.addResource(with: .metadataSidecar, data: sidecar, options: nil)
            })
        let picture = TestPicture.gradient()
        #expect((fromFile.pixelWidth, fromFile.pixelHeight) == (picture.width, picture.height))
        #expect(fromFile.captureDate?.text == "2001-02-03T04:05:06")
        #expect(fromFile.originalFilename == "IMG_1.JPG" && fromFile.fileDate == modified)
        #expect(fromFile.mediaType == .image && exists(url))
        let types = try AssetResource.assetResources(for: fromFile, in: studio.library).map(\.type)
        #expect(types == [.photo, .metadataSidecar])
        // It can be edited like any other asset.
        try await studio.edit(fromFile.id)

        let data = try jpeg(seed: 1)
        let fromData = try asset(
            await create { try $0.addResource(with: .photo, data: data, options: nil) })
        #expect(fromData.originalFilename == "picture.jpg")
        #expect(fromData.captureDate?.text == "2001-02-03T04:05:06")
        #expect(try studio.currentBytes(fromData.id) == data)

        var options = AssetResourceCreationOptions()
        options.originalFilename = "own.jpg"
        options.shouldMoveFile = true
        let third = try jpeg(seed: 2)
        let named = try await create { [options] in
            try $0.addResource(with: .photo, data: third, options: options)
        }
        #expect(try asset(named).originalFilename == "own.jpg" && named.moveErrors.isEmpty)
        await studio.host.shutDown()
    }

    @Test("a file to be moved is removed only after the library has it")
    func moved() async throws {
        var options = AssetResourceCreationOptions()
        options.shouldMoveFile = true
        let move = options
        let url = try file(jpeg(), "1.jpg")
        let request = try await create { request in
            try request.addResource(with: .photo, fileURL: url, options: move)
            #expect(FileManager.default.fileExists(atPath: url.path))
        }
        #expect(!exists(url) && request.moveErrors.isEmpty)
        #expect(try studio.currentBytes(asset(request).id) == jpeg())

        // The library has it already.
        let again = try file(jpeg(), "2.jpg")
        let duplicate = try await create {
            try $0.addResource(with: .photo, fileURL: again, options: move)
        }
        #expect(duplicate.result == .duplicate(existing: try asset(request).id))
        #expect(!exists(again) && duplicate.moveErrors.isEmpty)

        // The target of a link is kept, and so is the link.
        let target = try file(jpeg(seed: 3), "target.jpg")
        let link = URL(fileURLWithPath: studio.folder.file("link.jpg"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let linked = try await create {
            try $0.addResource(with: .photo, fileURL: link, options: move)
        }
        #expect(linked.result == .created && linked.moveErrors.count == 1)
        #expect(linked.moveErrors.first?.code == .cannotWrite)
        #expect(exists(target) && exists(link))
        await studio.host.shutDown()
    }

    @Test("if nothing is committed, no file is moved")
    func refused() async throws {
        var options = AssetResourceCreationOptions()
        options.shouldMoveFile = true
        let move = options
        let good = try file(jpeg(), "good.jpg")
        let bad = try file(Data("no picture".utf8), "bad.jpg")
        let token = try studio.library.currentChangeToken
        await #expect(throws: HostError.self) {
            _ = try await create { try $0.addResource(with: .photo, fileURL: bad, options: move) }
        }
        await #expect(throws: CancellationError.self) {
            _ = try await create {
                try $0.addResource(with: .photo, fileURL: good, options: move)
                throw CancellationError()
            }
        }
        let web = try #require(URL(string: "https://example.org/1.jpg"))
        let nowhere = URL(fileURLWithPath: studio.folder.file("nowhere.jpg"))
        for (url, code) in [(web, LibraryError.Code.invalidRequest), (nowhere, .cannotRead)] {
            let error = await #expect(throws: LibraryError.self) {
                _ = try await create { try $0.addResource(with: .photo, fileURL: url) }
            }
            #expect(error?.code == code)
        }
        let film = await #expect(throws: LibraryError.self) {
            _ = try await create { try $0.addResource(with: .video, fileURL: good, options: move) }
        }
        #expect(film?.code == .invalidRequest)
        #expect(exists(good) && exists(bad))
        #expect(try studio.library.currentChangeToken == token)
        await studio.host.shutDown()
    }
}
