// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// The inputs of a plug-in as it reports them: the adder writes its calls and every pixel that it received into its
/// recipe.
@Suite("inputs of a plug-in")
struct ExtensionInputTests {
    /// The inputs of the plug-in, from its recipe.
    private struct Witness {
        let calls: String
        let adjustment: String
        let subtypes: MediaSubtype
        let placeholder: TestPicture
        let display: TestPicture
        let full: TestPicture

        init(_ recipe: String?) throws {
            var lines: [Substring: Substring] = [:]
            for line in try #require(recipe).split(separator: "\n").dropFirst() {
                let parts = line.split(separator: " ", maxSplits: 1)
                lines[parts[0]] = parts.count > 1 ? parts[1] : ""
            }
            calls = String(try #require(lines["calls"]))
            adjustment = String(try #require(lines["adjustment"]))
            subtypes = MediaSubtype(
                rawValue: try #require(lines["subtypes"].flatMap { Int($0) }))
            placeholder = try Self.picture(lines["placeholder"])
            display = try Self.picture(lines["display"])
            full = try Self.picture(lines["full"])
        }

        private static func picture(_ text: Substring?) throws -> TestPicture {
            let parts = try #require(text).split(separator: " ")
            try #require(parts.count == 4)
            let numbers = try parts.prefix(3).map { try #require(Int($0)) }
            let digits = Array(parts[3].utf8)
            let samples = try stride(from: 0, to: digits.count, by: 2).map { index in
                let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
                return try #require(UInt8(pair, radix: 16))
            }
            return TestPicture(
                width: numbers[0], height: numbers[1], bands: numbers[2], samples: samples)
        }
    }

    /// An adder that records its inputs, one that does not, and one whose manifest declares no formats to read.
    private static func studio(trusted: Bool) throws -> TestStudio {
        try TestStudio(
            extensions: {
                try TestExtension.buildAdder(defines: ["WITNESS"], in: $0)
                try TestExtension.buildAdder("org.example.other", in: $0)
                try TestExtension.buildAdder(
                    "org.example.silent", defines: ["WITNESS", "ALWAYS"],
                    manifest: ["reads": [Any]()], in: $0)
            }, trusted: trusted)
    }

    @Test(
        "A-09 C-11 C-12 a first edit has no canHandle call or recipe; every image is the original",
        arguments: [true, false])
    func firstEdit(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let result = try await studio.edit(asset, "adder", ["amount": "40"])
        #expect(result.input == .original)
        let witness = try Witness(studio.recipe(asset))
        #expect(!witness.calls.contains("canHandle"))
        #expect(witness.calls.hasPrefix("create start"))
        #expect(witness.adjustment == "-")
        #expect(witness.placeholder == picture)
        #expect(witness.display == picture)
        #expect(witness.full == picture)
        await studio.host.shutDown()
    }

    @Test(
        "C-11 C-12 if canHandle is true, the placeholder is current and the images previous",
        arguments: [true, false])
    func continued(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "other", ["amount": "3"])
        try await studio.edit(asset, "adder", ["amount": "40"])
        let again = try await studio.edit(asset, "adder", ["amount": "5"])
        #expect(again.input == .previous)
        let witness = try Witness(studio.recipe(asset))
        #expect(witness.calls.contains("canHandle start"))
        #expect(witness.adjustment == "40 plain")
        #expect(witness.placeholder == picture.adding(43))
        #expect(witness.display == picture.adding(3))
        #expect(witness.full == picture.adding(3))
        #expect(try studio.current(asset) == picture.adding(8))
        // For an edit below the last, the current version is that of the whole chain.
        try await studio.edit(asset, "other", ["amount": "60"])
        let lower = try await studio.edit(asset, "adder", ["amount": "6"], step: 2)
        #expect(lower.input == .previous)
        let chain = try studio.library.history(ofAsset: asset).chain
        let recipe = chain.dropFirst().first?.adjustmentData.data
        let reopened = try Witness(recipe.map { String(decoding: $0, as: UTF8.self) })
        #expect(reopened.adjustment == "5 plain")
        #expect(reopened.placeholder == picture.adding(68))
        #expect(reopened.display == picture.adding(3))
        #expect(reopened.full == picture.adding(3))
        #expect(try studio.current(asset) == picture.adding(69))
        await studio.host.shutDown()
    }

    @Test(
        "C-11 C-12 if canHandle is false, every image is current and there is no recipe",
        arguments: [true, false])
    func appended(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "other", ["amount": "30"])
        let result = try await studio.edit(asset, "adder", ["amount": "5"])
        #expect(result.input == .current)
        let witness = try Witness(studio.recipe(asset))
        #expect(witness.calls.contains("canHandle start"))
        #expect(witness.adjustment == "-")
        #expect(witness.placeholder == picture.adding(30))
        #expect(witness.display == picture.adding(30))
        #expect(witness.full == picture.adding(30))
        await studio.host.shutDown()
    }

    @Test(
        "K-04 the input of a plug-in has the subtype of a Live Photo", arguments: [true, false])
    func livePhoto(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let paths = [studio.folder.file("a.jpg"), studio.folder.file("a.mov")]
        let identifier = UUID().uuidString
        try TestLivePhoto.makeStill(paths[0], identifier)
        try TestLivePhoto.makeVideo(paths[1], identifier)
        var imported: String?
        try await studio.host.importPhotos(at: paths, into: studio.library) {
            imported = $0.assetIdentifier
        }
        let asset = try #require(imported)
        var request = EditRequest(extensionName: "adder", values: ["amount": "5"])
        request.stillOnly = true
        _ = try await studio.host.edit([asset], request, in: studio.library)
        #expect(try Witness(studio.recipe(asset)).subtypes.contains(.photoLive))
        await studio.host.shutDown()
    }

    @Test(
        "M-03 the chosen extension is asked even if its manifest lacks the format",
        arguments: [true, false])
    func undeclared(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "other", ["amount": "30"])
        // It is not asked among many extensions, and the list contains the reason.
        let answers = try await studio.host.answers(for: asset, in: studio.library)
        let listed = try #require(
            answers.first { $0.installed.identifier == "org.example.silent" })
        #expect(listed.canHandle == false)
        #expect(listed.reason.contains("does not declare org.example.other"))
        let result = try await studio.edit(asset, "silent", ["amount": "5"])
        #expect(result.input == .original)
        let witness = try Witness(studio.recipe(asset))
        #expect(witness.calls.contains("canHandle start"))
        #expect(witness.adjustment == "30 plain")
        #expect(witness.placeholder == picture.adding(30))
        #expect(witness.full == picture)
        // The edit was continued, and replaced that of the other extension.
        #expect(try studio.current(asset) == picture.adding(5))
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(chain.map { $0.editingExtension?.identifier } == ["org.example.silent"])
        await studio.host.shutDown()
    }

    @Test(
        "C-12 the display image and the placeholder are reduced to a bounded size",
        arguments: [true, false])
    func bounded(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        // Twice the bound, in squares of 2 x 2 pixels, so that averaging reduces it exactly.
        let half = TestPicture.gradient(width: 2048, height: 16)
        var samples = [UInt8](repeating: 0, count: 4096 * 32 * 3)
        for y in 0..<32 {
            for x in 0..<4096 {
                for band in 0..<3 {
                    samples[(y * 4096 + x) * 3 + band] =
                        half.samples[((y / 2) * 2048 + x / 2) * 3 + band]
                }
            }
        }
        let picture = TestPicture(width: 4096, height: 32, bands: 3, samples: samples)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "40"])
        try await studio.edit(asset, "adder", ["amount": "41"])
        let witness = try Witness(studio.recipe(asset))
        #expect(witness.full == picture)
        for (image, expected) in [
            (witness.display, half), (witness.placeholder, half.adding(40)),
        ] {
            #expect(image.width == 2048 && image.height == 16)
            let difference = try #require(image.meanDifference(from: expected))
            #expect(difference < 10, "\(difference)")
        }
        let apart = try #require(witness.placeholder.meanDifference(from: witness.display))
        #expect(apart > 20, "\(apart)")
        await studio.host.shutDown()
    }

    @Test("C-03 C-15 an image-only extension is not offered a video, asked or loaded")
    func video() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(manifest: ["supportedMediaTypes": ["image"]], in: $0)
            try TestExtension.buildAdder(
                "org.example.both", manifest: ["supportedMediaTypes": ["image", "video"]], in: $0)
            // The library is invalid: reading the manifest must be sufficient.
            try Data("garbage".utf8).write(
                to: URL(fileURLWithPath: "\($0)/adder.editingextension/libadder.so"))
        }
        let path = try studio.folder.write(Data("a film".utf8), to: "film.mp4")
        try await studio.library.performChanges {
            try AssetCreationRequest(mediaType: .video).addResource(.video, path: path)
        }
        let video = try #require(
            try Asset.fetchAssets(with: .video, in: studio.library).first)
        let answers = try await studio.host.answers(
            for: video.localIdentifier, in: studio.library)
        func answer(_ name: String) -> ExtensionAnswer? {
            answers.first { $0.installed.identifier == "org.example.\(name)" }
        }
        #expect(answer("adder")?.isSupported == false)
        #expect(answer("adder")?.canHandle == nil)
        #expect(answer("adder")?.reason.contains("video") == true)
        #expect(answer("both")?.isSupported == true)
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(video.localIdentifier, "adder")
        }
        #expect(error?.code == .unsupportedMediaType)
        await studio.host.shutDown()
    }
}
