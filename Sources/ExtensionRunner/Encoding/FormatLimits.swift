// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// How large a picture may be in each format that is written.
enum FormatLimits {
    /// The longest side in pixels; nil: longer than any picture that is opened.
    static func longestSide(of format: MediaFormat) -> Int? {
        switch format {
        // libjpeg's; the format itself has 65535.
        case .jpeg: 65_500
        case .webp: 16_383
        case .gif: 65_535
        // What libheif opens.
        case .heic, .avif: 16_384
        default: nil
        }
    }

    /// - Throws: `RunnerFailure` with `unwritableFormat`, which names the limit and what has none.
    static func check(_ size: PixelSize, for format: MediaFormat) throws(RunnerFailure) {
        guard let limit = longestSide(of: format), max(size.width, size.height) > limit else {
            return
        }
        let others = MediaFormat.allCases
            .filter { $0.isWritten && $0.mediaType == .image && longestSide(of: $0) == nil }
        throw RunnerFailure(
            code: .unwritableFormat,
            message: "\(size.width)x\(size.height) pixels are too large for "
                + "\(format.displayName), which allows at most \(limit) a side; choose a "
                + "smaller size, or another format: "
                + others.map(\.rawValue).joined(separator: ", "))
    }
}
