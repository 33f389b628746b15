// SPDX-License-Identifier: Apache-2.0

import Vips

/// Small pictures with numbers computed from their position.
enum Pictures {
    /// The number at index `index` of the picture, spread over the whole range of `format`.
    static func number(_ index: Int, _ format: BandFormat) -> UInt16 {
        format == .uchar ? UInt16((index * 37 + 11) % 256) : UInt16((index * 7919 + 101) % 65536)
    }

    /// A picture of these numbers, together with the numbers.
    static func make(
        width: Int, height: Int, bands: Int, format: BandFormat = .uchar
    ) throws -> (image: Image, numbers: [UInt16]) {
        try VipsLibrary.initialize()
        let numbers = (0..<width * height * bands).map { number($0, format) }
        let bytes =
            format == .uchar
            ? numbers.map { UInt8($0) } : numbers.withUnsafeBytes { [UInt8]($0) }
        let image = try Image(
            bytes: bytes, width: width, height: height, bands: bands, format: format,
            interpretation: format == .uchar ? .srgb : .rgb16)
        return (image, numbers)
    }
}
