// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import EditHost

/// The version of an asset that is rendered, and the bytes of each version.
@Suite("image versions")
struct ImageVersionTests {
    private static func version(_ version: ImageRequestOptionsVersion) -> ImageRequestOptions {
        .with {
            $0.version = version
            $0.resizeMode = .none
        }
    }

    @Test("I-16 I-17 I-18 I-32 current has all edits; unadjusted and original have none")
    func versions() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.imported(picture)
        let manager = studio.manager()
        let size = ImageManager.maximumSize
        for count in 1...3 {
            try await studio.edit(asset.localIdentifier, "adder", ["amount": "\(10 * count)"])
            let current = try await manager.image(
                for: asset, targetSize: size, options: Self.version(.current))
            #expect(TestPicture(current) == (try studio.current(asset.localIdentifier)))
            #expect(TestPicture(current) != picture, "\(count)")
        }
        for version in [ImageRequestOptionsVersion.unadjusted, .original] {
            let image = try await manager.image(
                for: asset, targetSize: size, options: Self.version(version))
            #expect(TestPicture(image) == picture)
            let file = try await manager.imageDataAndOrientation(
                for: asset, options: Self.version(version))
            #expect(file.data == (try picture.encoded()) && file.format == .png)
            #expect(file.orientation == 1)
        }
        let file = try await manager.imageDataAndOrientation(for: asset)
        #expect(file.data == (try studio.currentBytes(asset.localIdentifier)))
        await studio.host.shutDown()
    }

    @Test("I-32 the handler gets bytes, their type and the orientation of their pixels")
    func data() async throws {
        let studio = try TestStudio()
        let data = try TestPicture.gradient().encoded("jpeg") { $0.set("orientation", to: 6) }
        let asset = try await studio.imported(data, named: "a.jpg")
        for isSynchronous in [false, true] {
            let gate = Gate()
            studio.manager().requestImageDataAndOrientation(
                for: asset, options: .with { $0.isSynchronous = isSynchronous }
            ) { bytes, type, orientation, info in
                #expect(bytes == data && type == "public.jpeg" && orientation == 6)
                #expect(info.error == nil && !info.isDegraded)
                gate.open()
            }
            gate.wait()
        }
        await studio.host.shutDown()
    }

    @Test(
        "after an edit or undo the next request shows it, also from another process's cache"
    )
    func edited() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient(width: 300, height: 200))
        let (manager, size) = (studio.manager(), PixelSize(width: 100, height: 100))
        let before = try await manager.encodedImage(for: asset, targetSize: size)
        try await studio.edit(asset.localIdentifier)
        // An asset fetched before the edit shows the edited picture, too.
        let after = try await manager.encodedImage(for: asset, targetSize: size)
        #expect(after.data != before.data)
        // Undone as by another process.
        let elsewhere = try PhotoLibrary.open(at: studio.library.path)
        _ = try await studio.host.undo(asset.localIdentifier, in: elsewhere)
        try elsewhere.close()
        let undone = try await manager.encodedImage(for: asset, targetSize: size)
        #expect(undone.data == before.data)
        let other = studio.manager()
        #expect(try await other.encodedImage(for: asset, targetSize: size).data == before.data)
        #expect(other.renders == 0)
        await studio.host.shutDown()
    }

    @Test("an edited picture without its rendition is re-rendered")
    func renditionGone() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient())
        try await studio.edit(asset.localIdentifier)
        let expected = try studio.current(asset.localIdentifier)
        let history = try studio.library.history(ofAsset: asset.localIdentifier)
        let blob = try #require(history.chain.last?.current?.blob)
        let manager = studio.manager()
        _ = try await manager.image(for: asset, targetSize: PixelSize(width: 5, height: 5))
        try FileManager.default.removeItem(atPath: studio.blobPath(blob))
        let image = try await manager.image(
            for: asset, targetSize: ImageManager.maximumSize, options: Self.version(.current))
        #expect(TestPicture(image) == expected)
        await studio.host.shutDown()
    }

    @Test("a request for a deleted asset fails with that error")
    func deleted() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient())
        try await studio.library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        let answers = try await studio.answers(
            studio.manager(), asset, PixelSize(width: 10, height: 10))
        #expect(answers.count == 1)
        #expect((answers[0].info.error as? LibraryError)?.code == .noSuchAsset)
        await studio.host.shutDown()
    }

    @Test("I-19 of a RAW and JPEG pair, original is the RAW and unadjusted the JPEG")
    func rawAndJPEG() async throws {
        let studio = try TestStudio()
        let jpeg = try TestPicture.gradient().encoded("jpeg")
        let raw = Data("II*\0".utf8) + Data(count: 2000)
        let paths = [
            try studio.folder.write(jpeg, to: "a.jpg"), try studio.folder.write(raw, to: "a.dng"),
        ]
        var identifiers: [String] = []
        try await studio.host.importPhotos(at: paths, into: studio.library) { result in
            if result.status == .imported, let id = result.assetIdentifier {
                identifiers.append(id)
            }
        }
        let asset = try studio.asset(#require(identifiers.first))
        let manager = studio.manager()
        let original = try await manager.imageDataAndOrientation(
            for: asset, options: Self.version(.original))
        #expect(original.data == raw)
        let unadjusted = try await manager.imageDataAndOrientation(
            for: asset, options: Self.version(.unadjusted))
        #expect(unadjusted.data == jpeg)
        let size = PixelSize(width: 10, height: 10)
        let error = await #expect(throws: HostError.self) {
            try await manager.image(
                for: asset, targetSize: size, options: .with { $0.version = .original })
        }
        #expect(error?.code == .cannotRender)
        let image = try await manager.image(
            for: asset, targetSize: size, options: .with { $0.version = .unadjusted })
        #expect(image.width >= 10)
        await studio.host.shutDown()
    }
}
