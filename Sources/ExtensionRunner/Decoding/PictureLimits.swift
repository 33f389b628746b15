// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// Limits that are enforced on the header, before pixels are decoded.
enum PictureLimits {
    /// The maximum length of a side, in pixels.
    static let maximumSide = 1 << 20
    /// The number of pixels up to which pictures are decoded regardless of their compression.
    static let pixels = 100_000_000
    /// The maximum number of pixels per byte of larger files. Above it, the file is rejected as a decompression bomb.
    static let pixelsPerByte = 400

    /// - Throws: `tooLarge`, or `badInput` for a picture without pixels.
    static func check(width: Int, height: Int, fileLength: Int) throws(RunnerFailure) {
        guard width > 0, height > 0 else {
            throw RunnerFailure(code: .badInput, message: "the picture has no pixels")
        }
        guard max(width, height) <= maximumSide else {
            throw RunnerFailure(
                code: .tooLarge,
                message: "\(width)x\(height) pixels: a side is longer than \(maximumSide) pixels")
        }
        let count = width * height
        guard count <= pixels || count / max(1, fileLength) <= pixelsPerByte else {
            throw RunnerFailure(
                code: .tooLarge,
                message: "\(width)x\(height) pixels in \(fileLength) bytes looks like a "
                    + "decompression bomb")
        }
    }
}
