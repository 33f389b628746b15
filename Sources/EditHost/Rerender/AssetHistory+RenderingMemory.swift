// SPDX-License-Identifier: Apache-2.0

import Library

extension AssetHistory {
    /// The estimated memory for rendering the picture, in bytes.
    package var renderingMemory: Int {
        Self.renderingMemory(
            width: max(asset.originalPixelWidth, asset.pixelWidth),
            height: max(asset.originalPixelHeight, asset.pixelHeight),
            bitsPerSample: original?.facts?.bitsPerSample ?? 8)
    }

    /// The estimated memory for rendering a picture, in bytes: its pixels with alpha before and after an extension,
    /// plus a constant for the runner.
    static func renderingMemory(width: Int, height: Int, bitsPerSample: Int) -> Int {
        let (pixels, isTooLarge) = max(1, width).multipliedReportingOverflow(by: max(1, height))
        let sample = bitsPerSample > 8 ? 2 : 1
        let (bytes, isMore) = pixels.multipliedReportingOverflow(by: 2 * 4 * sample)
        // The size in a library is untrusted.
        return isTooLarge || isMore ? Int.max / 2 : min(bytes, Int.max / 4) + (96 << 20)
    }
}
