// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// Edits of unusual files and of lost ones.
@Suite("odd and lost files")
struct LostFilesTests {
    @Test("a photo whose rendition was lost can be edited")
    func lostRendition() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        let rendition = try #require(
            try studio.library.history(ofAsset: asset).chain.last?.current?.blob)
        let path = "\(studio.library.path)/blobs/\(rendition.hex.prefix(2))/\(rendition.hex)"
        try FileManager.default.removeItem(atPath: path)
        try await studio.edit(asset, "adder", ["amount": "40"])
        #expect(try studio.current(asset) == picture.adding(40))
        await studio.host.shutDown()
    }

    @Test(
        "pictures far longer than wide can be edited", arguments: [(9000, 1), (1, 9000), (9000, 3)])
    func longPictures(width: Int, height: Int) async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: width, height: height)
        for format in ["jpeg", "webp", "png"] {
            let asset = try await studio.add(picture.encoded(format), named: "long.\(format)")
            let result = try await studio.edit(asset)
            #expect(result.status == .committed)
            let edited = try studio.library.asset(withLocalIdentifier: asset)
            #expect(edited.pixelWidth == width && edited.pixelHeight == height)
        }
        await studio.host.shutDown()
    }

    @Test("a HEIF picture keeps its profile through an edit and re-renders byte for byte")
    func heifProfile() async throws {
        let studio = try TestStudio()
        try VipsLibrary.initialize()
        // A wide-gamut profile, as written by phones; libvips has one built in.
        let picture = TestPicture.gradient(width: 96, height: 64)
        let plain = try Image(source: ImageSource(bytes: Array(picture.encoded())))
        let wide = try plain.applying(
            "icc_transform", ["output_profile": "p3", "input_profile": "srgb"])
        let profile = try #require(wide.blob("icc-profile-data"))
        let bytes = try wide.encoded(saver: "heifsave_buffer", options: ["compression": "av1"])
        let asset = try await studio.add(Data(bytes), named: "wide.avif")
        try await studio.edit(asset)
        let stored = try studio.currentBytes(asset)
        let image = try Image(source: ImageSource(bytes: Array(stored)))
        #expect(image.blob("icc-profile-data") == profile)
        try await studio.host.rerender(
            [asset], in: studio.library, force: true, jobs: 1
        ) { #expect($0.status == .rendered) }
        #expect(try studio.currentBytes(asset) == stored)
        await studio.host.shutDown()
    }
}
