// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// Colour spaces that files describe without an ICC profile.
@Suite("colours without a profile")
struct SignalledColorTests {
    private static let colors: [[UInt8]] = [
        [200, 40, 40], [40, 200, 40], [40, 40, 200], [128, 128, 128], [200, 200, 60],
        [90, 110, 70],
    ]

    /// A square of 16 pixels for each colour.
    private static func image() throws -> Image {
        try VipsLibrary.initialize()
        let row = try Image(
            bytes: Array(colors.joined()), width: colors.count, height: 1, bands: 3,
            format: .uchar, interpretation: .srgb)
        return try row.applying("zoom", ["xfac": 16, "yfac": 16])
    }

    private static func expect(
        _ file: TestFile, in space: SpaceFormulas, within limit: Double = 1.5,
        _ comment: Comment? = nil
    ) throws {
        let samples = try Reencoded.inSRGB(file)
        for (index, color) in colors.enumerated() {
            let start = (8 * 16 * colors.count + index * 16 + 8) * 3
            let found = Array(samples[start..<start + 3])
            let wanted = space.sRGB(color.map { Double($0) / 255 })
            #expect(
                zip(found, wanted).allSatisfy { abs($0 - $1) <= limit },
                "\(comment ?? ""): \(color) is \(found), not \(wanted)")
        }
    }

    private static let standard = SpaceFormulas(
        points: SpaceFormulas.bt709, light: SpaceFormulas.standardLight)
    private static let displayP3 = SpaceFormulas(
        points: SpaceFormulas.displayP3, light: SpaceFormulas.standardLight)

    // MARK: - EXIF

    @Test(
        "a picture that EXIF marks as Adobe RGB is converted from it; others are sRGB",
        arguments: ["jpeg", "tiff"])
    func exif(format: String) throws {
        let options: [String: OperationValue] =
            format == "jpeg" ? ["Q": 100, "subsample_mode": "off", "strip": true] : [:]
        let picture = try Self.image().encoded(saver: "\(format)save_buffer", options: options)
        let cases: [([String], SpaceFormulas)] = [
            (["-ColorSpace=65535", "-InteropIndex=R03"], .adobeRGB),
            (["-ColorSpace=2"], .adobeRGB), (["-InteropIndex=R03"], .adobeRGB),
            (["-ColorSpace=65535"], Self.standard), (["-ColorSpace=1"], Self.standard),
            (["-ColorSpace=1", "-InteropIndex=R98"], Self.standard),
            (["-Artist=A"], Self.standard),
        ]
        for (tags, space) in cases {
            let file = try ExifTool().tagging(picture, format == "jpeg" ? "jpg" : "tif", tags)
            try Self.expect(file, in: space, within: format == "jpeg" ? 4 : 1.5, "\(tags)")
        }
    }

    @Test("an embedded profile takes precedence over EXIF")
    func profileBeforeExif() throws {
        let picture = try Self.image().encoded(
            saver: "jpegsave_buffer",
            options: ["Q": 100, "subsample_mode": "off", "profile": "srgb"])
        let file = try ExifTool().tagging(
            picture, "jpg", ["-ColorSpace=65535", "-InteropIndex=R03"])
        try Self.expect(file, in: Self.standard, within: 4)
    }

    // MARK: - HEIF

    @Test(
        "HEIF code points are converted, including 10-bit",
        arguments: [
            (12, 13, .standard(SpaceFormulas.displayP3)), (9, 14, .standard(SpaceFormulas.bt2020)),
            (9, 13, .standard(SpaceFormulas.bt2020)), (1, 1, .standard(SpaceFormulas.bt709)),
            (2, 2, .standard(SpaceFormulas.bt709)), (1, 8, .linear),
        ] as [(UInt8, UInt8, SpaceFormulas)])
    func codePoints(primaries: UInt8, transfer: UInt8, space: SpaceFormulas) throws {
        var bytes = try HighDynamicRangePicture.bytes()
        let place = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound
        bytes[place + 1] = primaries
        bytes[place + 3] = transfer
        let samples = try Reencoded.inSRGB(try TestFile(bytes))
        for (square, number) in HighDynamicRangePicture.numbers.enumerated() {
            let parts: [Int] = [number, number * 3 / 4, number * 3 / 4]
            let wanted = space.sRGB(parts.map { Double($0) / 1023 })
            let start = (12 * 160 + square * 16 + 8) * 3
            for band in 0..<3 {
                let found = samples[start + band]
                #expect(abs(found - wanted[band]) < 1.5, "\(parts): \(found)")
            }
        }
    }

    @Test("an edited picture keeps the space of HEIF code points as a profile")
    func keptSpace() throws {
        var bytes = try HighDynamicRangePicture.bytes()
        let place = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound
        bytes[place + 3] = 13
        let (file, _) = try Reencoded.file(
            try TestFile(bytes), EncodeSettings(format: .png, bitsPerSample: 16))
        let tags = try ExifTool().read(file)
        #expect(tags["ICC_Profile:ProfileDescription"] != nil)
        #expect(tags.keys.allSatisfy { !$0.hasSuffix(":Warning") && !$0.hasSuffix(":Error") })
    }

    // MARK: - PNG

    private static func png(_ chunks: [(String, [UInt8])], profile: String? = nil) throws
        -> TestFile
    {
        let bytes = try image().encoded(
            saver: "pngsave_buffer", options: profile.map { ["profile": .string($0)] } ?? [:])
        return try TestFile(PNGChunk.inserting(chunks, into: bytes))
    }

    private static func gamma(_ value: Int) -> (String, [UInt8]) {
        ("gAMA", FileNumber.big(value, 4))
    }

    /// The primaries of Display P3.
    private static let primaries = (
        "cHRM",
        [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].flatMap { FileNumber.big($0, 4) }
    )

    @Test("PNG colours follow cICP, then profile, then sRGB, then gAMA and cHRM")
    func order() throws {
        let linear = SpaceFormulas.linear
        let wide = SpaceFormulas(points: SpaceFormulas.displayP3, light: { pow($0, 2.2) })
        let (p3, ultra) = (
            ("cICP", [12, 13, 0, 1] as [UInt8]), ("cICP", [9, 14, 0, 1] as [UInt8])
        )
        let bt2020 = SpaceFormulas(
            points: SpaceFormulas.bt2020, light: SpaceFormulas.standardLight)
        let standard = ("sRGB", [0] as [UInt8])
        try Self.expect(try Self.png([]), in: Self.standard, "nothing")
        try Self.expect(try Self.png([Self.gamma(100_000)]), in: linear, "gAMA")
        try Self.expect(try Self.png([Self.gamma(45_455)]), in: Self.standard, "gAMA of sRGB")
        try Self.expect(try Self.png([Self.primaries]), in: Self.displayP3, "cHRM")
        try Self.expect(
            try Self.png([Self.gamma(45_455), Self.primaries]), in: wide, "gAMA and cHRM")
        try Self.expect(
            try Self.png([Self.gamma(100_000), Self.primaries, standard]), in: Self.standard,
            "sRGB")
        try Self.expect(
            try Self.png([Self.gamma(100_000)], profile: "p3"), in: Self.displayP3, "iCCP")
        try Self.expect(try Self.png([p3, Self.gamma(100_000)]), in: Self.displayP3, "cICP")
        try Self.expect(try Self.png([ultra], profile: "p3"), in: bt2020, "cICP and iCCP")
        // YCbCr, which PNG cannot contain, and an unknown curve.
        try Self.expect(
            try Self.png([("cICP", [9, 13, 1, 1])], profile: "p3"), in: Self.displayP3, "YCbCr")
        try Self.expect(
            try Self.png([("cICP", [9, 9, 0, 1]), Self.gamma(100_000)]), in: linear, "logarithm")
    }

    @Test("a narrow-range PNG has black at 16 and white at 235")
    func narrowRange() throws {
        let samples = try Reencoded.inSRGB(try Self.png([("cICP", [1, 13, 0, 0])]))
        for (index, color) in Self.colors.enumerated() {
            let start = (8 * 16 * Self.colors.count + index * 16 + 8) * 3
            for (found, number) in zip(samples[start..<start + 3], color) {
                #expect(abs(found - (Double(number) - 16) * 255 / 219) <= 1)
            }
        }
    }

    @Test(
        "PNG in PQ and HLG is tone mapped and marked as high dynamic range",
        arguments: [(16, "PQ"), (18, "HLG")] as [(UInt8, String)])
    func highDynamicRange(transfer: UInt8, name: String) throws {
        let file = try Self.png([("cICP", [9, transfer, 0, 1])])
        let (target, report) = try Reencoded.file(
            file, EncodeSettings(format: .png, bitsPerSample: 16))
        #expect(report.facts?.mediaSubtypes == .photoHDR)
        #expect(report.warnings == ["its high dynamic range (\(name)) was reduced to that of sRGB"])
        let image = try target.image()
        #expect(image.hasProfile)
        let samples = try image.samples()
        for (index, color) in Self.colors.enumerated() {
            let start = (8 * 16 * Self.colors.count + index * 16 + 8) * 3
            let wanted = HighDynamicRangeFormulas.sRGB(color.map { Double($0) / 255 }, name)
            for (found, wanted) in zip(samples[start..<start + 3], wanted) {
                #expect(abs(Double(found) / 257 - wanted) < 1, "\(color)")
            }
        }
    }

    @Test("degenerate primaries are ignored")
    func uselessPrimaries() throws {
        for numbers in [
            [0, 0, 0, 0, 0, 0, 0, 0], [31270, 32900, 64000, 33000, 64000, 33000, 64000, 33000],
        ] {
            let file = try Self.png([("cHRM", numbers.flatMap { FileNumber.big($0, 4) })])
            try Self.expect(file, in: Self.standard, "\(numbers)")
        }
    }

    // MARK: - JPEG XL

    /// Lossless 8 x 1 pixels of 16 bits with the values of `grays`, encoded by cjxl 0.7 with the colour
    /// space RGB_D65_202_Rel_PeQ or RGB_D65_202_Rel_HLG.
    private static let coded = [
        "PQ":
            "AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAA5anhsY/8KAAAOCPgByKNHHA4AAAAAAQgCAQBkAEsYixUKJS7AD4AAIAAIAAKAACAA+P8BAAA=",
        "HLG":
            "AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAA5anhsY/8KAAAOCPgByDMQ6DEAAAAABAgCAQBkAEsYixUKJS7AD4AAIAAIAAKAACAA+P8BAAA=",
    ]
    private static let grays = [0, 8192, 16384, 24576, 32768, 40960, 49152, 65535]

    @Test("JPEG XL in PQ and HLG is tone mapped", arguments: ["PQ", "HLG"])
    func jpegXL(name: String) throws {
        let data = try #require(Data(base64Encoded: Self.coded[name] ?? ""))
        let (target, report) = try Reencoded.file(
            try TestFile(Array(data)), EncodeSettings(format: .png, bitsPerSample: 16))
        #expect(report.facts?.mediaSubtypes == .photoHDR)
        let samples = try target.image().samples()
        for (index, gray) in Self.grays.enumerated() {
            let part = Double(gray) / 65_535
            let wanted = HighDynamicRangeFormulas.sRGB([part, part, part], name)
            for band in 0..<3 {
                #expect(abs(Double(samples[index * 3 + band]) / 257 - wanted[band]) < 1, "\(gray)")
            }
        }
    }
}
