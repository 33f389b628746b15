// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import Vips

/// Profiles and colour spaces, checked against published numbers.
@Suite struct ColorTests {
    /// Runs the recorder, which inverts pixels, on a picture and returns a PNG file.
    private func edited(
        _ base: TestFile, steps: Int = 1, profile: String? = nil
    ) throws -> TestFile {
        let runner = try TestRunner()
        let definitions = profile.map { ["PROFILE": "\"\($0)\""] } ?? [:]
        let loaded = try runner.loadRecorder(mode: "batch", definitions: definitions)
        guard loaded == .loaded else { throw unexpected(loaded) }
        let step = RenderStep(
            extensionIdentifier: "org.example.recorder", adjustmentData: try .recorder())
        let input = RenderInput(
            base: .encoded(.unknown), steps: Array(repeating: step, count: steps))
        let output = try TestFile()
        let settings = EncodeSettings(format: .png, bitsPerSample: 16)
        let reply = try runner.request(
            .run(RenderJob(input: input, output: .encoded(settings))),
            [(.base, base.number), (.metadataSource, base.number), (.output, output.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        return output
    }

    /// A picture of one row of colours.
    private func row(_ colors: [[Int]]) throws -> Image {
        try VipsLibrary.initialize()
        let bands = colors[0].count
        return try Image(
            bytes: colors.joined().map { UInt8($0) }, width: colors.count, height: 1, bands: bands,
            format: .uchar, interpretation: bands == 4 ? .cmyk : .srgb)
    }

    // MARK: - Profiles by name

    /// A colour space as specified.
    struct Space: Sendable {
        let name: String
        let description: String
        let gamma: Double
        /// From linear RGB to XYZ.
        let toXYZ: [[Double]]
        /// From XYZ relative to the same white to linear sRGB.
        let toSRGB: [[Double]]
        /// Colours of the space that are in the gamut of sRGB.
        let colors: [[Int]]
    }

    /// Adobe RGB (1998), version 2005-05, 4.3.5.3; XYZ to sRGB by IEC 61966-2-1.
    private static let adobeRGB = Space(
        name: "adobe-rgb", description: "Adobe RGB (1998)", gamma: 2.19921875,
        toXYZ: [
            [0.57667, 0.18556, 0.18823], [0.29734, 0.62736, 0.07529], [0.02703, 0.07069, 0.99134],
        ],
        toSRGB: [
            [3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570],
        ],
        colors: [
            [255, 255, 255], [128, 128, 128], [100, 120, 140], [200, 150, 100], [60, 80, 70],
            [210, 200, 120], [90, 90, 160],
        ])

    /// ROMM RGB, ISO 22028-2; XYZ relative to D50 to sRGB adapted by Bradford's matrix.
    private static let proPhotoRGB = Space(
        name: "prophoto-rgb", description: "ProPhoto RGB", gamma: 1.8,
        toXYZ: [[0.7977, 0.1352, 0.0313], [0.2880, 0.7119, 0.0001], [0, 0, 0.8249]],
        toSRGB: [
            [3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
            [0.0719453, -0.2289914, 1.4052427],
        ],
        colors: [
            [255, 255, 255], [128, 128, 128], [120, 125, 130], [190, 170, 140], [80, 90, 85],
            [200, 190, 150], [110, 100, 130],
        ])

    @Test(
        "an output in a named profile has that profile and untouched pixels",
        arguments: [adobeRGB, proPhotoRGB])
    func namedProfile(_ space: Space) throws {
        let base = try row(space.colors.map { $0.map { 255 - $0 } })
        let file = try edited(
            try TestFile(try base.encoded(saver: "pngsave_buffer")), profile: space.name)
        let image = try file.image()
        #expect(try image.samples().map(Int.init) == Array(space.colors.joined()))
        let tags = try ExifTool().read(file)
        #expect(tags["ICC_Profile:ProfileDescription"] == space.description)
        #expect(tags.keys.allSatisfy { !$0.hasSuffix(":Warning") && !$0.hasSuffix(":Error") })

        let converted = try image.applying(
            "icc_transform", ["embedded": true, "output_profile": "srgb"]
        ).samples().map(Int.init)
        for (index, color) in space.colors.enumerated() {
            let found = Array(converted[index * 3..<index * 3 + 3])
            let expected = Self.sRGB(color, space)
            #expect(
                zip(found, expected).allSatisfy { abs(Double($0) - $1) <= 1 },
                "\(color): \(found), not \(expected)")
        }
    }

    /// The colour in sRGB, 0...255.
    private static func sRGB(_ color: [Int], _ space: Space) -> [Double] {
        let linear = color.map { pow(Double($0) / 255, space.gamma) }
        return multiply(space.toSRGB, multiply(space.toXYZ, linear)).map { value in
            let clipped = min(1, max(0, value))
            return 255
                * (clipped <= 0.0031308
                    ? 12.92 * clipped : 1.055 * pow(clipped, 1 / 2.4) - 0.055)
        }
    }

    private static func multiply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).map { $0 * $1 }.reduce(0, +) }
    }

    // MARK: - Preserved colours

    @Test("P3 and ProPhoto survive two inversions with equal numbers and profile")
    func profilesSurvive() throws {
        let colors = [[0, 1, 2], [255, 254, 253], [200, 20, 90], [17, 170, 33]]
        let proPhoto = try edited(
            try TestFile(try row(colors).encoded(saver: "pngsave_buffer")),
            profile: "prophoto-rgb"
        ).image().blob("icc-profile-data")
        let p3 = try row(colors)
            .applying("icc_transform", ["input_profile": "srgb", "output_profile": "p3"])
            .blob("icc-profile-data")
        for profile in [try #require(proPhoto), try #require(p3)] {
            let image = try row(colors).copying { $0.set("icc-profile-data", to: profile) }
            let base = try TestFile(try image.encoded(saver: "pngsave_buffer"))
            let result = try edited(base, steps: 2).image()
            #expect(try result.samples().map(Int.init) == Array(colors.joined()))
            #expect(result.blob("icc-profile-data") == profile)
        }
    }

    @Test("16-bit gray with alpha keeps every number")
    func deepGray() throws {
        let values: [UInt16] = [0, 65535, 1, 65534, 257, 300, 40000, 12345, 65535, 0, 513, 32768]
        let bytes = values.withUnsafeBytes { Array($0) }
        try VipsLibrary.initialize()
        let image = try Image(
            bytes: bytes, width: 3, height: 2, bands: 2, format: .ushort, interpretation: .gray16)
        let base = try TestFile(try image.encoded(saver: "pngsave_buffer"))
        let result = try edited(base, steps: 2).image()
        // The recorder also inverts alpha, and two inversions cancel out.
        let expected = stride(from: 0, to: values.count, by: 2).flatMap { index in
            [values[index], values[index], values[index], values[index + 1]]
        }
        #expect(result.format == .ushort && result.bands == 4)
        #expect(try result.samples() == expected)
    }

    @Test("a palette becomes its colours")
    func palette() throws {
        let colors = [[255, 0, 0], [0, 255, 0], [12, 34, 56], [255, 0, 0], [250, 240, 230]]
        let bytes = try row(colors).encoded(saver: "pngsave_buffer", options: ["palette": true])
        #expect(bytes[25] == 3)
        let decoded = try TestFile(bytes).image().samples().map(Int.init)
        try #require(decoded == Array(colors.joined()), "libvips made another palette")
        let result = try edited(try TestFile(bytes), steps: 2).image()
        #expect(try result.samples().map(Int.init) == Array(colors.joined()))
    }

    /// The approximate appearance of offset inks: ranges of red, green and blue that contain the
    /// primaries of all usual printing conditions.
    private static let inks:
        [(
            cmyk: [Int], red: ClosedRange<Int>, green: ClosedRange<Int>,
            blue: ClosedRange<Int>
        )] = [
            ([0, 0, 0, 0], 250...255, 250...255, 250...255),
            ([0, 0, 0, 255], 0...70, 0...70, 0...70),
            ([255, 0, 0, 0], 0...80, 120...200, 190...255),
            ([0, 255, 0, 0], 190...255, 0...60, 90...170),
            ([0, 0, 255, 0], 230...255, 210...255, 0...90),
            ([255, 255, 255, 255], 0...40, 0...40, 0...40),
        ]

    @Test("CMYK keeps its appearance in sRGB")
    func cmyk() throws {
        // Squares of JPEG's block size, so that no ink bleeds into another.
        let wide = try row(Self.inks.map(\.cmyk))
            .applying("zoom", ["xfac": 16, "yfac": 16])
        let base = try TestFile(try wide.encoded(saver: "jpegsave_buffer", options: ["Q": 100]))
        let image = try edited(base, steps: 2).image()
        #expect(image.bands == 3)
        let samples = try image.samples().map(Int.init)
        for (index, ink) in Self.inks.enumerated() {
            let start = (8 * image.width + index * 16 + 8) * 3
            let color = Array(samples[start..<start + 3])
            #expect(
                ink.red.contains(color[0]) && ink.green.contains(color[1])
                    && ink.blue.contains(color[2]), "\(ink.cmyk) became \(color)")
        }
    }

    /// Encodes a Display P3 picture with a modified profile.
    private func encoded(
        _ tagged: Image, _ format: MediaFormat, changing change: (inout [UInt8]) -> Void
    ) throws -> Image {
        var profile = try #require(tagged.blob("icc-profile-data"))
        change(&profile)
        let bytes = profile
        let base = try TestFile(
            try tagged.copying { $0.set("icc-profile-data", to: bytes) }
                .encoded(saver: "tiffsave_buffer"))
        let file = try TestFile()
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)),
            output: .encoded(EncodeSettings(format: format)))
        let reply = try TestRunner().request(
            .run(job), [(.base, base.number), (.output, file.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        return try file.image()
    }

    private func inDisplayP3() throws -> Image {
        try TestPicture.image(width: 32, height: 24).applying(
            "icc_transform", ["output_profile": "p3", "input_profile": "srgb"])
    }

    @Test(
        "a profile that libpng rejects is repaired, or the pixels are converted",
        arguments: [true, false])
    func refusedProfiles(isRepairable: Bool) throws {
        let tagged = try inDisplayP3()
        let image = try encoded(tagged, .png) { profile in
            // Sets the illuminant to D65 and, if not repairable, also an invalid rendering intent.
            profile.replaceSubrange(
                68..<80, with: [0, 0, 0xF3, 0x52, 0, 1, 0, 0, 0, 1, 0x16, 0xCC])
            if !isRepairable { profile.replaceSubrange(64..<68, with: [0x7F, 0, 0, 0]) }
        }
        #expect(image.hasField("icc-profile-data") == isRepairable)
        // The picture is unchanged if read with its profile, or as sRGB without one.
        let seen =
            isRepairable
            ? try image.applying("icc_transform", ["embedded": true, "output_profile": "srgb"])
            : image
        let expected = try tagged.applying(
            "icc_transform", ["embedded": true, "output_profile": "srgb"]
        ).samples()
        #expect(zip(try seen.samples(), expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test(
        "an unusable profile is not written",
        arguments: [MediaFormat.png, .jxl])
    func uselessProfile(format: MediaFormat) throws {
        let tagged = try inDisplayP3()
        let image = try encoded(tagged, format) { profile in
            // A device link, which is not the profile of a colour space.
            profile.replaceSubrange(12..<16, with: Array("link".utf8))
        }
        #expect(image.width == 32)
        // JPEG XL always declares its colour space, from which the decoder generates a profile.
        if format == .png {
            #expect(!image.hasField("icc-profile-data"))
            #expect(try image.samples() == tagged.samples())
        }
    }
}
