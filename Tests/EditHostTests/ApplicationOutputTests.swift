// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing
import Vips

/// Outputs of applications that edit without an extension.
@Suite("outputs of applications")
struct ApplicationOutputTests {
    @Test("K-06 E-08 a JPEG of any size is kept byte for byte")
    func jpeg() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let written = try TestPicture.gradient(width: 50, height: 11, seed: 5).encoded("jpeg")
        let input = try await studio.input(asset)
        var output = ContentEditingOutput(contentEditingInput: input)
        #expect(output.supportedRenderedContentTypes == [.jpeg, .png, .tiff])
        #expect(output.defaultRenderedContentType == .jpeg)
        #expect(try output.renderedContentURL == output.renderedContentURL(for: .jpeg))
        // Each output has its own URLs.
        let other = ContentEditingOutput(contentEditingInput: input)
        #expect(try output.renderedContentURL != other.renderedContentURL)
        output.adjustmentData = try TestStudio.recipe("abc")
        try written.write(to: output.renderedContentURL)
        let prepared = try await studio.host.prepare(output, in: studio.library)
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        try studio.commit(prepared)

        #expect(try studio.currentBytes(asset) == written)
        let edit = try #require(try studio.library.history(ofAsset: asset).chain.last)
        #expect(edit.editingExtension == nil)
        #expect(edit.adjustmentData == output.adjustmentData)
        let now = try studio.asset(asset)
        #expect((now.pixelWidth, now.pixelHeight) == (50, 11))
        #expect(now.adjustmentFormatIdentifier == "org.example.application")
        await studio.host.shutDown()
    }

    @Test("K-06 PNG and TIFF stay lossless; the current version has the original's type")
    func lossless() async throws {
        let studio = try TestStudio()
        let original = try TestPicture.gradient(width: 40, height: 30).encoded("jpeg") {
            $0.set("exif-ifd0-Artist", to: "Ada (Ada, ASCII, 4 components, 4 bytes)")
        }
        let asset = try await studio.add(original, named: "a.jpg")
        for (seed, type) in [(3, MediaFormat.png), (4, .tiff)] {
            let picture = TestPicture.gradient(width: 40, height: 30).mapped { _ in
                UInt8(30 * seed)
            }
            try await studio.apply(
                picture.encoded(type.rawValue), as: type, to: asset, recipe: "\(seed)")
            let edit = try #require(try studio.library.history(ofAsset: asset).chain.last)
            #expect(try TestPicture(decoding: studio.bytes(edit.base?.blob)) == picture)
            #expect(edit.current?.format == .jpeg)
            let current = try studio.current(asset)
            #expect(try #require(current.largestDifference(from: picture)) < 3)
            let file = try ImageSource(bytes: Array(studio.currentBytes(asset)))
            #expect(try Image(source: file).string("exif-ifd0-Artist")?.hasPrefix("Ada") == true)
        }
        await studio.host.shutDown()
    }

    @Test("K-07 an orientation other than 1 is baked into the pixels", arguments: ["jpeg", "tiff"])
    func orientation(format: String) async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let written = try picture.encoded(format, options: format == "jpeg" ? ["Q": 100] : [:]) {
            $0.set("orientation", to: 3)
        }
        try await studio.apply(written, as: format == "jpeg" ? .jpeg : .tiff, to: asset)
        let upright = try TestPicture(decoding: written).mirrored.upsideDown
        #expect(try studio.current(asset) == upright)
        #expect(try studio.orientation(of: asset) == 1)
        await studio.host.shutDown()
    }

    /// Mistakes of applications, with the expected error.
    static let mistakes: [(mistake: String, code: HostError.Code, said: String)] = [
        ("nothing", .missingRenderedContent, "no result was written"),
        ("png as jpeg", .invalidRenderedContent, "for a JPEG file is a PNG file"),
        ("garbage", .invalidRenderedContent, "is not a picture"),
        ("truncated", .invalidRenderedContent, "cannot be used"),
        ("empty", .invalidRenderedContent, "cannot be read"),
        ("folder", .invalidRenderedContent, "cannot be read"),
        ("two", .invalidRenderedContent, "JPEG and PNG"),
    ]

    @Test("K-07 K-06 an invalid output is rejected with a precise error", arguments: mistakes)
    func mistake(mistake: String, code: HostError.Code, said: String) async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: 200, height: 200)
        let asset = try await studio.add(picture)
        var output = ContentEditingOutput(contentEditingInput: try await studio.input(asset))
        output.adjustmentData = try TestStudio.recipe()
        let (jpeg, png) = (try picture.encoded("jpeg"), try picture.encoded())
        let url = try output.renderedContentURL
        switch mistake {
        case "png as jpeg": try png.write(to: url)
        case "garbage": try Data("not a picture at all".utf8).write(to: url)
        case "truncated": try jpeg.prefix(jpeg.count / 2).write(to: url)
        case "empty": try Data().write(to: url)
        case "folder":
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        case "two":
            try jpeg.write(to: url)
            try png.write(to: output.renderedContentURL(for: .png))
        default: break
        }
        let wrong = output
        let error = await #expect(throws: HostError.self) {
            try await studio.host.prepare(wrong, in: studio.library)
        }
        #expect(error?.code == code, "\(error as Any)")
        #expect(error?.message.contains(said) == true, "\(error as Any)")
        #expect(error?.assetIdentifier == asset)
        // An unprepared output is checked when it is committed, and rejected with the same error.
        let refusal = #expect(throws: HostError.self) { try studio.commit(wrong) }
        #expect(refusal?.code == code && refusal?.assetIdentifier == asset)
        #expect(refusal?.message.contains(said) == true, "\(refusal as Any)")
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)

        // Another output of the same input is a new attempt.
        var better = ContentEditingOutput(contentEditingInput: output.input)
        better.adjustmentData = output.adjustmentData
        try png.write(to: better.renderedContentURL(for: .png))
        try studio.commit(try await studio.host.prepare(better, in: studio.library))
        #expect(try studio.current(asset) == picture)
        await studio.host.shutDown()
    }

    @Test("K-06 other types and unrequested inputs have no rendered content URL")
    func places() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let output = ContentEditingOutput(contentEditingInput: try await studio.input(asset))
        let error = #expect(throws: LibraryError.self) {
            try output.renderedContentURL(for: .heic)
        }
        #expect(error?.code == .invalidRequest)
        let input = try studio.library.contentEditingInput(forAsset: asset, placement: .appending)
        #expect(input.fullSizeImageURL == nil && input.displaySizeImage == nil)
        var placeless = ContentEditingOutput(contentEditingInput: input)
        #expect(throws: LibraryError.self) { try placeless.renderedContentURL }
        placeless.adjustmentData = try TestStudio.recipe()
        let prepared = placeless
        let other = await #expect(throws: LibraryError.self) {
            try await studio.host.prepare(prepared, in: studio.library)
        }
        #expect(other?.code == .invalidRequest)
        await studio.host.shutDown()
    }

    @Test("K-08 adjustment data is required; equal recipe and pixels are no change")
    func adjustmentData() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let png = try TestPicture.gradient(seed: 9).encoded()
        var output = try await studio.output(asset, png, as: .png)
        output.adjustmentData = nil
        let without = output
        let error = await #expect(throws: LibraryError.self) {
            try await studio.host.prepare(without, in: studio.library)
        }
        #expect(error?.code == .missingAdjustmentData)

        #expect(try await !studio.apply(png, as: .png, to: asset).isUnchanged)
        let token = try studio.library.currentChangeToken
        let again = try await studio.apply(png, as: .png, to: asset, canHandle: true)
        #expect(again.isUnchanged)
        #expect(try studio.library.currentChangeToken == token)
        let other = try await studio.apply(
            png, as: .png, to: asset, recipe: "other", canHandle: true)
        #expect(!other.isUnchanged)
        #expect(try studio.library.history(ofAsset: asset).chain.count == 1)
        await studio.host.shutDown()
    }

    @Test("E-08 an output cannot be committed to another asset or another state")
    func otherAsset() async throws {
        let studio = try TestStudio()
        let assets = [
            try await studio.add(.gradient()), try await studio.add(.gradient(seed: 1)),
        ]
        let file = try TestPicture.gradient(seed: 9).encoded("jpeg")
        let output = try await studio.host.prepare(
            studio.output(assets[0], file, as: .jpeg), in: studio.library)
        let error = try #require(
            #expect(throws: LibraryError.self) {
                try studio.library.performChanges {
                    try AssetChangeRequest(for: studio.asset(assets[1]))
                        .contentEditingOutput = output
                }
            })
        #expect(error.code == .outputForAnotherAsset)
        try await studio.edit(assets[0])
        #expect(
            #expect(throws: LibraryError.self) { try studio.commit(output) }?.code == .conflict)
        #expect(try studio.library.history(ofAsset: assets[0]).chain.count == 1)
        #expect(try studio.library.history(ofAsset: assets[1]).chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test("A-14 ten outputs in one block ask once and are one change; one failure rolls back all")
    func batch() async throws {
        let studio = try TestStudio()
        let asked = Mutex(0)
        var options = PhotoLibrary.Options()
        options.authorization = { _ in asked.withLock { $0 += 1 } }
        let library = try PhotoLibrary.open(at: studio.library.path, options: options)
        var outputs: [ContentEditingOutput] = []
        for seed in 0..<10 {
            let asset = try await studio.add(.gradient(seed: seed))
            let file = try TestPicture.gradient(seed: seed + 100).encoded()
            outputs.append(
                try await studio.host.prepare(
                    studio.output(asset, file, as: .png), in: library))
        }
        func commit(_ outputs: [ContentEditingOutput]) throws {
            try library.performChanges {
                for output in outputs {
                    try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
                }
            }
        }
        var broken = outputs
        broken[9].renderedContent = nil
        let token = try library.currentChangeToken
        #expect(throws: LibraryError.self) { try commit(broken) }
        #expect(try library.currentChangeToken == token)
        for output in outputs {
            #expect(try library.history(ofAsset: output.input.asset.id).chain.isEmpty)
        }
        asked.withLock { $0 = 0 }
        try commit(outputs)
        #expect(asked.withLock { $0 } == 1)
        for (seed, output) in outputs.enumerated() {
            #expect(try studio.current(output.input.asset.id) == .gradient(seed: seed + 100))
        }
        await studio.host.shutDown()
    }
}
