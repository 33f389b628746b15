// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// What is refused at the header, before a pixel is decoded.
enum PictureLimits {
    /// The longest side, in pixels.
    static let maximumSide = 1 << 20
    /// Pictures up to this many pixels are decoded however well they are compressed.
    static let pixels = 100_000_000
    /// More pixels than this for each byte of file are a decompression bomb.
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
