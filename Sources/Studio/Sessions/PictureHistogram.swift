// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import JSONOutput
import Library

/// The number of pixels of a picture with each 8-bit value.
struct PictureHistogram: Sendable {
    private(set) var red = [Int](repeating: 0, count: 256)
    private(set) var green = [Int](repeating: 0, count: 256)
    private(set) var blue = [Int](repeating: 0, count: 256)
    /// The counts of the luma of Rec. 709.
    private(set) var luminance = [Int](repeating: 0, count: 256)

    init(of picture: DisplaySizeImage) {
        let (bands, isDeep) = (picture.bands, picture.pixelFormat.bitsPerSample == 16)
        picture.data.withUnsafeBytes { bytes in
            // The upper byte of a sample in native byte order, which is little-endian.
            let (stride, offset) = isDeep ? (2, 1) : (1, 0)
            for pixel in 0..<picture.width * picture.height {
                let first = pixel * bands * stride + offset
                count(
                    Int(bytes[first]), Int(bytes[first + stride]), Int(bytes[first + 2 * stride]))
            }
        }
    }

    private mutating func count(_ red: Int, _ green: Int, _ blue: Int) {
        self.red[red] += 1
        self.green[green] += 1
        self.blue[blue] += 1
        luminance[(2126 * red + 7152 * green + 722 * blue + 5000) / 10_000] += 1
    }

    /// The JSON for pages.
    var row: JSONRow { ["red": red, "green": green, "blue": blue, "luminance": luminance] }
}
