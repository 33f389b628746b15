// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import RunnerProtocol
import Vips

/// A file in memory that a test passes to a runner.
final class TestFile: Sendable {
    let number: Int32

    /// Creates an empty file, for output.
    init() throws {
        number = csandbox_memory("test")
        guard number >= 0 else { throw TestRunner.Failed("no memory") }
    }

    /// Creates a sealed file with contents.
    convenience init(_ bytes: [UInt8]) throws {
        try self.init()
        guard write(number, bytes, bytes.count) == bytes.count, csandbox_seal(number) == 0 else {
            throw TestRunner.Failed("no room")
        }
    }

    /// Creates a copy of a file.
    convenience init(path: String) throws {
        try self.init(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    deinit { close(number) }

    var bytes: [UInt8] {
        var status = stat()
        guard fstat(number, &status) == 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        _ = pread(number, &bytes, bytes.count, 0)
        return bytes
    }

    /// The decoded contents.
    func image() throws -> Image { try Image(source: try ImageSource(bytes: bytes)) }
}

/// Computed pictures.
enum TestPicture {
    /// The sample of a band at a position. All positions that a test checks have different samples.
    static func sample(_ x: Int, _ y: Int, _ band: Int) -> Int { (x * 3 + y * 5 + band * 40) % 256 }

    /// A picture with 8 bits per sample, RGB by default.
    static func image(width: Int, height: Int, bands: Int = 3) throws -> Image {
        try VipsLibrary.initialize()
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                for band in 0..<bands { bytes.append(UInt8(sample(x, y, band))) }
            }
        }
        return try Image(
            bytes: bytes, width: width, height: height, bands: bands, format: .uchar,
            interpretation: bands < 3 ? .gray : .srgb)
    }

    /// A PNG file of the picture.
    static func png(width: Int = 40, height: Int = 30, bands: Int = 3) throws -> TestFile {
        try TestFile(
            try image(width: width, height: height, bands: bands).encoded(saver: "pngsave_buffer"))
    }

    /// A JPEG file of one colour, with an orientation.
    static func jpeg(
        _ color: [Double], width: Int, height: Int, orientation: Int = 1
    ) throws -> TestFile {
        try VipsLibrary.initialize()
        let black = try image(width: width, height: height).applying(
            "linear", ["a": .doubles([0, 0, 0]), "b": .doubles(color), "uchar": true])
        let tagged = try black.copying { $0.set("orientation", to: orientation) }
        return try TestFile(try tagged.encoded(saver: "jpegsave_buffer", options: ["Q": 95]))
    }
}

extension LoadedExtension {
    /// The recorder, as described by a manifest.
    static func recorder(_ pixelFormats: [PixelFormat]) throws -> LoadedExtension {
        let formats = pixelFormats.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let json = """
            {"identifier": "org.example.recorder", "version": "1.0",
             "pixelFormats": [\(formats)], "access": "sequential"}
            """
        return try JSONDecoder().decode(LoadedExtension.self, from: Data(json.utf8))
    }
}

extension AdjustmentData {
    /// A recipe of the recorder.
    static func recorder(version: String = "1.0", _ text: String = "recipe") throws -> Self {
        AdjustmentData(
            formatIdentifier: "org.example.recorder", formatVersion: version, data: Data(text.utf8))
    }
}
