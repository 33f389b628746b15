// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The maximum picture sizes of the formats that can be written.
enum FormatLimits {
    /// Returns the maximum length of a side in pixels; `nil` if above that of any picture that can be opened.
    static func maximumSide(of format: MediaFormat) -> Int? {
        switch format {
        // The limit of libjpeg. The format itself allows 65535.
        case .jpeg: 65_500
        case .webp: 16_383
        case .gif: 65_535
        // The limit of libheif's decoder.
        case .heic, .avif: 16_384
        default: nil
        }
    }

    /// - Throws: `RunnerFailure` with `unwritableFormat`, which names the limit and the formats without one.
    static func check(_ size: PixelSize, for format: MediaFormat) throws(RunnerFailure) {
        guard let limit = maximumSide(of: format), max(size.width, size.height) > limit else {
            return
        }
        let others = MediaFormat.allCases
            .filter { $0.isWritten && $0.mediaType == .image && maximumSide(of: $0) == nil }
        throw RunnerFailure(
            code: .unwritableFormat,
            message: "\(size.width)x\(size.height) pixels are too large for "
                + "\(format.displayName), which allows at most \(limit) a side; choose a "
                + "smaller size, or another format: "
                + others.map(\.rawValue).joined(separator: ", "))
    }
}
