// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// Lens Correction, compared with lensfun's own functions.
@Suite("Lens Correction")
struct LensCorrectionTests {
    private static func studio() throws -> TestStudio {
        try TestStudio { try TestExtension.assemble("LensCorrection", in: $0) }
    }

    private static func oracle(_ width: Int, _ height: Int) throws -> LensOracle {
        try LensOracle(
            make: "Canon", model: "Canon EOS 5D Mark III", lens: "EF24-105mm f/4L IS USM",
            focalLength: 24, aperture: 5.6, distance: 10, calibrationCropFactor: 1, width: width,
            height: height)
    }

    private static let off = [
        "distortion": "false", "lateralColor": "false", "vignetting": "false",
    ]

    @Test("positions are within 0.01 pixels of lensfun's", arguments: [false, true])
    func positions(isAcross: Bool) async throws {
        let (width, height) = (1200, 800)
        let studio = try Self.studio()
        let asset = try await studio.add(
            LensPhoto.ramp(
                isAcross: isAcross, width: width, height: height, LensPhoto.fullFrame))
        try await studio.edit(asset, "lenscorrection", ["vignetting": "false"])
        let samples = try LightAndColorTests.current(asset, in: studio)
        let oracle = try Self.oracle(width, height)
        var (farthest, moved) = (0.0, 0.0)
        // The interpolation of a ramp is exact two pixels from its ends.
        func isInside(_ position: Double) -> Bool {
            let place = position.truncatingRemainder(dividingBy: 256)
            return position < Double(isAcross ? width : height) - 4 && place > 3 && place < 252
        }
        for y in 3..<height - 3 {
            let positions = oracle.positions(row: y, width: width)
            for x in 3..<width - 3 {
                for band in 0..<3 {
                    let level = Double(samples[3 * (y * width + x) + band])
                    let expected = Double(positions[6 * x + 2 * band + (isAcross ? 0 : 1)])
                    guard isInside(expected) else { continue }
                    let place = expected.truncatingRemainder(dividingBy: 256)
                    farthest = max(farthest, abs((level - 1000) / 200 - place))
                    moved = max(moved, abs(expected - Double(isAcross ? x : y)))
                }
            }
        }
        #expect(farthest < 0.01, "\(farthest) pixels")
        #expect(moved > 1)
        await studio.host.shutDown()
    }

    @Test("corners are lightened in light, by lensfun's gain", arguments: [false, true])
    func vignetting(isDeep: Bool) async throws {
        let (width, height, greatest) = (150, 100, isDeep ? 65535.0 : 255)
        let studio = try Self.studio()
        let level = UInt16(0.4 * greatest)
        let asset = try await studio.add(
            LensPhoto.flat(
                level, isDeep: isDeep, width: width, height: height, LensPhoto.fullFrame))
        try await studio.edit(
            asset, "lenscorrection", ["distortion": "false", "lateralColor": "false"])
        let samples = try LightAndColorTests.current(asset, in: studio)
        let oracle = try Self.oracle(width, height)
        let encoded = Double(level) / greatest
        let light = pow((encoded + 0.055) / 1.055, 2.4)
        var (farthest, brightest) = (0.0, 0.0)
        for y in 0..<height {
            for x in 0..<width {
                let lighter = light * oracle.gain(x: Float(x), y: Float(y))
                let expected = (1.055 * pow(lighter, 1 / 2.4) - 0.055) * greatest
                let sample = Double(samples[3 * (y * width + x)])
                farthest = max(farthest, abs(sample - expected))
                brightest = max(brightest, sample)
            }
        }
        #expect(farthest <= (isDeep ? 8 : 0.55), "\(farthest) levels off")
        #expect(brightest > 1.15 * Double(level))
        await studio.host.shutDown()
    }

    @Test("without corrections, the output is the input exactly", arguments: [false, true])
    func neutral(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 4, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(
            LensPhoto.tagged(
                LightAndColorTests.png(
                    LightAndColorTests.image(before, width: 40, bands: 4, isDeep: isDeep)),
                LensPhoto.fullFrame))
        try await studio.edit(asset, "lenscorrection", Self.off)
        #expect(try LightAndColorTests.current(asset, in: studio) == before)
        await studio.host.shutDown()
    }

    @Test("of several entries of a lens, that with most calibration is used")
    func severalEntries() async throws {
        let studio = try Self.studio()
        let tags = LensPhoto.fullFrame.map {
            $0.hasPrefix("Model=") ? "Model=Canon EOS 600D" : $0
        }
        let asset = try await studio.add(
            LensPhoto.flat(100, isDeep: false, width: 60, height: 40, tags))
        try await studio.edit(asset, "lenscorrection")
        let recipe = try #require(try studio.recipe(asset))
        // Calibrated for this crop factor, too, but without vignetting.
        #expect(recipe.contains(#""calibrationCropFactor":1,"#))
        #expect(recipe.contains(#""model":"pa""#))
        await studio.host.shutDown()
    }

    @Test("an unknown lens is an error that names the metadata, and can be chosen")
    func unknown() async throws {
        let studio = try Self.studio()
        let tags = LensPhoto.fullFrame.map {
            $0.hasPrefix("LensModel=") ? "LensModel=Qwertz 50mm f/0.1" : $0
        }
        let asset = try await studio.add(
            LensPhoto.flat(100, isDeep: false, width: 60, height: 40, tags))
        var message = await Self.failure(studio, asset, [:])
        #expect(message.contains("Qwertz 50mm f/0.1"))
        #expect(message.contains("Canon EOS 5D Mark III"))
        #expect(message.contains("set lens"))
        message = await Self.failure(studio, asset, ["lens": "Asdf"])
        #expect(message.contains("Asdf"))
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        try await studio.edit(
            asset, "lenscorrection", ["lens": "Canon EF 24-105mm f/4L IS USM"])
        #expect(try studio.recipe(asset)?.contains(#""model":"ptlens""#) == true)
        await studio.host.shutDown()
    }

    @Test(
        "metadata that do not suffice are an error that names what is missing",
        arguments: [
            (["Make=Canon", "Model=Canon EOS 5D Mark III"], "no lens"),
            (
                [
                    "Make=Canon", "Model=Canon EOS 5D Mark III",
                    "LensModel=EF24-105mm f/4L IS USM", "FocalLength=0",
                ], "no usable focal length"
            ),
            (["LensModel=EF24-105mm f/4L IS USM", "FocalLength=24"], "no camera"),
            ([], "no camera"),
        ])
    func insufficient(tags: [String], expected: String) async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(
            LensPhoto.flat(100, isDeep: false, width: 60, height: 40, tags))
        let message = await Self.failure(studio, asset, [:])
        #expect(message.contains(expected), "\(message)")
        await studio.host.shutDown()
    }

    @Test("a lens of another mount is found if it is chosen, and keeps its own calibration")
    func otherMount() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(
            LensPhoto.flat(
                100, isDeep: false, width: 60, height: 40, LensPhoto.fullFrame))
        try await studio.edit(
            asset, "lenscorrection",
            ["lens": "Nikon AF-S Zoom-Nikkor 24-70mm f/2.8G ED"])
        #expect(try studio.recipe(asset)?.contains(#""lens":"Nikon Nikon AF-S"#) == true)
        await studio.host.shutDown()
    }

    @Test(
        "a lens of another mount or a smaller sensor, or an ambiguous name, is not taken from metadata",
        arguments: ["18-105mm f/3.5-5.6", "XC35mmF2", "35mm f/2", "50mm"])
    func otherLens(name: String) async throws {
        let studio = try Self.studio()
        let tags = [
            "Make=SONY", "Model=ILCE-7M3", "LensModel=\(name)", "FocalLength=35", "FNumber=4",
        ]
        let asset = try await studio.add(
            LensPhoto.flat(100, isDeep: false, width: 60, height: 40, tags))
        let message = await Self.failure(studio, asset, [:])
        #expect(message.contains(name) && message.contains("set lens"), "\(message)")
        await studio.host.shutDown()
    }

    @Test("a lens with strong vignetting is corrected")
    func strong() async throws {
        let studio = try Self.studio()
        let tags = [
            "Make=SONY", "Model=ILCE-7M3", "LensModel=FE 24-240mm F3.5-6.3 OSS", "FocalLength=24",
            "FNumber=22",
        ]
        let asset = try await studio.add(
            LensPhoto.flat(100, isDeep: false, width: 60, height: 40, tags))
        try await studio.edit(asset, "lenscorrection")
        #expect(try studio.recipe(asset)?.contains(#""model":"pa""#) == true)
        await studio.host.shutDown()
    }

    @Test("a recipe that is copied to another photo gets the data of its lens")
    func copied() async throws {
        let studio = try Self.studio()
        func photo(focalLength: Int, name: String) async throws -> String {
            let tags = LensPhoto.fullFrame.map {
                $0.hasPrefix("FocalLength=") ? "FocalLength=\(focalLength)" : $0
            }
            return try await studio.add(
                LensPhoto.flat(
                    100, isDeep: false, width: 60, height: 40, tags + ["ImageDescription=\(name)"]),
                named: "\(name).png")
        }
        let first = try await photo(focalLength: 24, name: "first")
        let other = try await photo(focalLength: 105, name: "other")
        let direct = try await photo(focalLength: 105, name: "direct")
        for asset in [first, direct] {
            try await studio.edit(asset, "lenscorrection", ["scale": "1"])
        }
        var options = EditCopyOptions()
        options.replacesEdits = true
        for hasChanged in [true, false] {
            let results = try await studio.host.applyEdits(
                of: .asset(first), to: [other], options, in: studio.library)
            #expect(results.map(\.hasChanged) == [hasChanged])
            #expect(try studio.recipe(other) == studio.recipe(direct))
            #expect(try studio.current(other) == studio.current(direct))
        }
        let added = try await studio.host.applyEdits(
            of: .asset(first), to: [other], in: studio.library)
        #expect(added.map(\.hasChanged) == [false])
        #expect(try studio.recipe(other) != studio.recipe(first))
        #expect(try studio.current(other) != studio.current(first))
        await studio.host.shutDown()
    }

    @Test("an upgrade searches again, and changes only recipes with other data")
    func upgraded() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(
            LensPhoto.flat(
                100, isDeep: false, width: 60, height: 40, LensPhoto.fullFrame))
        try await studio.edit(asset, "lenscorrection", ["scale": "1"])
        let current = try #require(try studio.recipe(asset))
        let old = current.replacingOccurrences(of: "\"camera\":\"Canon", with: "\"camera\":\"Old")
        try #require(old != current)
        let file = try studio.folder.write(Data(old.utf8), to: "old.json")
        var request = EditRequest(extensionName: "lenscorrection")
        request.recipe = .file(file)
        _ = try await studio.host.edit([asset], request, in: studio.library)
        #expect(try studio.recipe(asset) == old)
        let identifier = "org.edithost.lenscorrection"
        for hasChanged in [true, false] {
            let results = try await studio.host.applyEdits(
                of: .edits(by: identifier, takenBy: identifier), to: [asset], in: studio.library)
            #expect(results.map(\.hasChanged) == [hasChanged])
            #expect(try studio.recipe(asset) == current)
        }
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try studio.recipe(asset) == old)
        await studio.host.shutDown()
    }

    /// The message of an edit that must fail.
    private static func failure(
        _ studio: TestStudio, _ asset: String, _ values: [String: String]
    ) async -> String {
        let error = await #expect(throws: (any Error).self) {
            try await studio.edit(asset, "lenscorrection", values)
        }
        return error.map { "\($0)" } ?? ""
    }
}
