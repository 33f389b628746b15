// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// Pixels that applications get from unusual photos.
@Suite("pixels for applications")
struct InputPixelTests {
    private static func open(_ url: URL?) throws -> Image {
        try VipsLibrary.initialize()
        let bytes = try Data(contentsOf: url.unwrapped())
        return try Image(source: try ImageSource(bytes: Array(bytes)))
    }

    @Test("the photo's colour profile is kept in input and output")
    func profile() async throws {
        let studio = try TestStudio()
        let profile = try TestProfile.named("p3")
        let picture = TestPicture.gradient()
        let asset = try await studio.add(
            try picture.encoded { $0.set("icc-profile-data", to: profile) })
        let input = try await studio.host.requestContentEditingInput(
            for: studio.asset(asset), in: studio.library)
        #expect(try studio.fullSize(input) == picture)
        let image = try Self.open(input.fullSizeImageURL)
        #expect(image.blob("icc-profile-data") == profile)
        let display = try #require(input.displaySizeImage)
        #expect(display.profile == .original)
        #expect(display.originalProfile.map(Array.init) == profile)
        #expect(Array(display.data) == picture.samples)

        // A result without a profile is sRGB and does not get the original's profile.
        for (recipe, metadata) in [("with", profile), ("without", nil)] {
            let file = try TestPicture.gradient(seed: 40).encoded { editor in
                if let metadata { editor.set("icc-profile-data", to: metadata) }
            }
            try await studio.apply(file, as: .png, to: asset, recipe: recipe)
            let current = try Image(
                source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
            #expect(current.blob("icc-profile-data") == metadata)
            #expect(try current.pixels() == TestPicture.gradient(seed: 40).samples)
        }
        await studio.host.shutDown()
    }

    @Test("K-06 16-bit pixels stay 16-bit in input and output")
    func deep() async throws {
        try VipsLibrary.initialize()
        let studio = try TestStudio()
        let samples = (0..<30 * 20 * 3).map { UInt16(truncatingIfNeeded: $0 * 1201) }
        let image = try Image(
            bytes: samples.withUnsafeBytes(Array.init), width: 30, height: 20, bands: 3,
            format: .ushort, interpretation: .rgb16)
        let png = Data(try image.encoded(saver: "pngsave_buffer", options: ["bitdepth": 16]))
        let asset = try await studio.add(png)
        let input = try await studio.host.requestContentEditingInput(
            for: studio.asset(asset), in: studio.library)
        #expect(try Self.open(input.fullSizeImageURL).samples() == samples)
        let display = try #require(input.displaySizeImage)
        #expect(display.pixelFormat == .rgb16)
        #expect(display.data.elementsEqual(samples.withUnsafeBytes(Array.init)))

        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try TestStudio.recipe()
        let inverted = Data(
            try image.applying("invert").encoded(saver: "tiffsave_buffer"))
        try inverted.write(to: output.renderedContentURL(for: .tiff))
        try studio.commit(try await studio.host.prepare(output, in: studio.library))
        let current = try Image(
            source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
        #expect(try current.samples() == samples.map { .max - $0 })
        await studio.host.shutDown()
    }

    @Test("A-13 lower edits of untrusted extensions are rendered for the input")
    func untrusted() async throws {
        let studio = try TestStudio(trusted: false)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "6"])
        let current = try await studio.input(asset)
        #expect(try studio.fullSize(current) == picture.adding(6))
        #expect(try await studio.fullSize(studio.input(asset, canHandle: true)) == picture)
        await studio.host.shutDown()
    }

    @Test("E-13 with a missing referenced original, only states stored above it are available")
    func away() async throws {
        let studio = try TestStudio()
        let path = try studio.folder.write(TestPicture.gradient().encoded(), to: "away.png")
        var imported: String?
        try await studio.host.importPhotos(at: [path], into: studio.library, by: .reference) {
            imported = $0.assetIdentifier
        }
        let asset = try #require(imported)
        let written = TestPicture.gradient(seed: 70)
        for (type, seed) in [(MediaFormat.jpeg, 30), (.png, 70)] {
            try await studio.apply(
                TestPicture.gradient(seed: seed).encoded(type.rawValue), as: type, to: asset,
                canHandle: true)
        }
        try FileManager.default.removeItem(atPath: path)
        let error = await #expect(throws: LibraryError.self) {
            try await studio.input(asset, canHandle: true)
        }
        #expect(error?.code == .originalMissing)
        #expect(error?.assetIdentifier == asset)
        #expect(try await studio.fullSize(studio.input(asset)) == written)
        let last = TestPicture.gradient(seed: 110)
        try await studio.apply(last.encoded(), as: .png, to: asset, recipe: "last")
        #expect(try studio.current(asset) == last)
        await studio.host.shutDown()
    }

    @Test(
        "E-13 a video without known facts and a deleted asset give an error"
    )
    func refused() async throws {
        let studio = try TestStudio()
        let path = try studio.folder.write(Data("a film".utf8), to: "film.mp4")
        try await studio.library.performChanges {
            try AssetCreationRequest(mediaType: .video).addResource(.video, path: path)
        }
        let video = try #require(
            try Asset.fetchAssets(with: .video, in: studio.library).first)
        let error = await #expect(throws: HostError.self) {
            try await studio.host.requestContentEditingInput(for: video, in: studio.library)
        }
        #expect(error?.code == .cannotRender)
        #expect(error?.assetIdentifier == video.localIdentifier)
        try await studio.library.performChanges { try AssetChangeRequest.removeAssets([video]) }
        let gone = await #expect(throws: LibraryError.self) {
            try await studio.host.requestContentEditingInput(for: video, in: studio.library)
        }
        #expect(gone?.code == .noSuchAsset)
        #expect(gone?.assetIdentifier == video.localIdentifier)
        await studio.host.shutDown()
    }
}
