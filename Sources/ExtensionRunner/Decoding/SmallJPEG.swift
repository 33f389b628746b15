// SPDX-License-Identifier: Apache-2.0

import CJPEG
import EditingModel
import FileAccess

/// A small JPEG file without a profile, decoded directly by libjpeg. For a thumbnail, the libvips pipeline takes
/// several times as long as the decoding.
struct SmallJPEG {
    /// The pixels in RGB with 8 bits, row by row.
    let pixels: [UInt8]
    let size: PixelSize

    /// The limits of thumbnails, in bytes and pixels.
    private static let maximumBytes = 1 << 20
    private static let maximumPixels = 1 << 20

    /// - Returns: `nil` if the file is not such a JPEG or is damaged.
    init?(_ file: OpenFile) {
        guard let length = file.length, (1...Self.maximumBytes).contains(length),
            let bytes = Self.bytes(of: file, length)
        else { return nil }
        let decoded = bytes.withUnsafeBytes { bytes -> (PixelSize, [UInt8])? in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            var (width, height): (Int32, Int32) = (0, 0)
            guard cjpeg_size(start, bytes.count, &width, &height), width > 0, height > 0,
                Int(width) * Int(height) <= Self.maximumPixels
            else { return nil }
            let count = Int(width) * Int(height) * 3
            var isComplete = false
            let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                isComplete = cjpeg_decode(
                    start, bytes.count, width, height, buffer.baseAddress)
                initialized = isComplete ? count : 0
            }
            return isComplete ? (PixelSize(width: Int(width), height: Int(height)), pixels) : nil
        }
        guard let (size, pixels) = decoded else { return nil }
        self.size = size
        self.pixels = pixels
    }

    private static func bytes(of file: OpenFile, _ length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        let count = bytes.withUnsafeMutableBytes { try? file.read(into: $0, at: 0) }
        return count == length ? bytes : nil
    }
}
