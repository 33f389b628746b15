// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// A HaldCLUT: a square picture whose pixels, row by row, are the points of a cube. A picture of level 8 has 512 × 512
/// pixels, for a cube with 64 points along each axis.
struct HaldImage {
    /// The signature at the start of a PNG file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The supported levels. The cube of level 12 has 144 points along each axis.
    static let levels = 2...12

    private let image: Image
    private let level: Int

    /// Reads the header of a PNG file.
    init(_ bytes: [UInt8]) throws {
        do {
            image = try Image(
                source: ImageSource(bytes: bytes), loader: "pngload_source",
                options: ["fail_on": "error"])
        } catch {
            throw EditingExtensionError.badTable("the PNG cannot be read: \(error)")
        }
        guard image.bands >= 3, image.format == .uchar || image.format == .ushort else {
            throw EditingExtensionError.badTable(
                "the PNG is not red, green and blue of 8 or 16 bits; save the HaldCLUT in color")
        }
        let (width, height) = (image.width, image.height)
        guard width == height, let level = Self.levels.first(where: { $0 * $0 * $0 == width })
        else {
            throw EditingExtensionError.badTable(
                "the PNG has \(width) × \(height) pixels, which is no HaldCLUT: those of level 2 to "
                    + "12 have 8 × 8, 27 × 27, 64 × 64 and so on up to 1728 × 1728")
        }
        self.level = level
    }

    /// Decodes the pixels into a cube.
    func cube() throws -> TableGrid {
        let (samples, bands): ([UInt16], Int)
        do {
            (samples, bands) = (try image.samples(), image.bands)
        } catch {
            throw EditingExtensionError.badTable("the PNG is damaged: \(error)")
        }
        let greatest: Float = image.format == .uchar ? 255 : 65535
        var values = [Float](repeating: 0, count: samples.count / bands * 4)
        for pixel in 0..<samples.count / bands {
            for band in 0..<3 {
                values[4 * pixel + band] = Float(samples[bands * pixel + band]) / greatest
            }
        }
        return TableGrid(size: level * level, values: values)
    }
}
