// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A picture with the metadata of a camera, as ExifTool writes them.
enum LensPhoto {
    /// A full-frame camera, and a zoom lens that lensfun's data calibrate completely.
    static let fullFrame = [
        "Make=Canon", "Model=Canon EOS 5D Mark III", "LensModel=EF24-105mm f/4L IS USM",
        "FocalLength=24", "FNumber=5.6", "SubjectDistance=10",
    ]

    /// Ramps of 256 pixels in 16 bits: red, green and blue are 200 levels per pixel across, or down.
    static func ramp(isAcross: Bool, width: Int, height: Int, _ tags: [String]) throws -> Data {
        var samples: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                let level = UInt16(1000 + 200 * ((isAcross ? x : y) % 256))
                samples += [level, level, level]
            }
        }
        return try tagged(
            LightAndColorTests.png(
                LightAndColorTests.image(samples, width: width, bands: 3, isDeep: true)), tags)
    }

    /// A picture of one level, in 8 or 16 bits.
    static func flat(
        _ level: UInt16, isDeep: Bool, width: Int, height: Int, _ tags: [String]
    ) throws -> Data {
        let samples = [UInt16](repeating: level, count: width * height * 3)
        return try tagged(
            LightAndColorTests.png(
                LightAndColorTests.image(samples, width: width, bands: 3, isDeep: isDeep)), tags)
    }

    static func tagged(_ png: Data, _ tags: [String]) throws -> Data {
        let folder = try TemporaryFolder()
        let path = try folder.write(png, to: "picture.png")
        guard !tags.isEmpty else { return png }
        let result = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-q", "-m", "-n", "-overwrite_original"] + tags.map { "-EXIF:\($0)" }
                + [path])
        guard result.status == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }
}
