// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// The example program that edits without a plug-in.
@Suite("GrayscaleApp example")
struct GrayscaleAppTests {
    private static func run(
        _ studio: TestStudio, _ strength: Int, _ assets: [String]
    ) throws -> ProcessResult {
        var environment = ProcessInfo.processInfo.environment
        environment["EDITHOST"] = BuildProducts.command
        environment["EDITHOST_EXTENSION_PATH"] = studio.extensions
        environment["XDG_CONFIG_HOME"] = studio.folder.file("configuration")
        environment["TMPDIR"] = studio.folder.path
        return try runProgram(
            "\(BuildProducts.folder)/GrayscaleApp",
            [studio.library.path, "\(strength)"] + assets, environment: environment)
    }

    /// The documented effect of the program, in plain arithmetic.
    private static func gray(_ picture: TestPicture, _ strength: Int) -> TestPicture {
        var gray = picture
        for pixel in 0..<picture.width * picture.height {
            let start = pixel * picture.bands
            let mean = picture.samples[start..<start + 3].reduce(0) { $0 + Int($1) } / 3
            for index in start..<start + 3 {
                let mixed = strength * mean + (100 - strength) * Int(picture.samples[index])
                gray.samples[index] = UInt8(mixed / 100)
            }
        }
        return gray
    }

    @Test("A-12 A-13 five steps edit several photos in one change, and edit them again")
    func fiveSteps() async throws {
        let studio = try TestStudio()
        let pictures = [
            TestPicture.gradient(bands: 4), .gradient(width: 9, height: 100, seed: 5),
        ]
        var assets: [String] = []
        for picture in pictures { assets.append(try await studio.add(picture)) }
        let token = try studio.library.currentChangeToken
        // The second time it continues its own edits.
        for strength in [100, 40] {
            let result = try Self.run(studio, strength, assets)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            for (asset, picture) in zip(assets, pictures) {
                #expect(try studio.current(asset) == Self.gray(picture, strength))
                #expect(try studio.library.history(ofAsset: asset).chain.count == 1)
                #expect(try studio.recipe(asset) == #"{"strength":\#(strength)}"#)
            }
        }
        let changes = try studio.library.fetchPersistentChanges(since: token)
        #expect(changes.count == 2)

        let failed = try Self.run(studio, 70, [assets[0], "ffffffff"])
        #expect(failed.status == 1)
        #expect(failed.output.hasPrefix("nothing was changed: "))
        #expect(try studio.current(assets[0]) == Self.gray(pictures[0], 40))
        let left = try FileManager.default.contentsOfDirectory(atPath: studio.folder.path)
            .filter { $0.hasPrefix("edithost-edit-") }
        #expect(left.isEmpty)
        await studio.host.shutDown()
    }

    @Test(
        "A-12 a rotated camera photo is edited on top of a plug-in's edit",
        .corpus)
    func photo() async throws {
        let studio = try TestStudio()
        let path = "\(try #require(BuildProducts.corpus))/photos/orientation/landscape_6.jpg"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try VipsLibrary.initialize()
        let upright = try Image(source: try ImageSource(bytes: Array(bytes)))
            .applying("autorot")
        let original = TestPicture(
            width: upright.width, height: upright.height, bands: upright.bands,
            samples: try upright.pixels())
        let asset = try await studio.add(bytes, named: "landscape_6.jpg")
        try await studio.edit(asset, "adder", ["amount": "20"])
        let result = try Self.run(studio, 60, [String(asset.prefix(8))])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(chain.count == 2)
        let expected = Self.gray(original.adding(20), 60)
        let base = try TestPicture(decoding: studio.bytes(chain[1].base?.blob))
        #expect(base == expected)
        // The current version is a JPEG again.
        #expect(chain[1].current?.format == .jpeg)
        let current = try studio.current(asset)
        #expect(try #require(current.meanDifference(from: expected)) < 4)
        #expect(try studio.orientation(of: asset) == 1)
        await studio.host.shutDown()
    }
}
