// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing

extension TestStudio {
    /// Previews an edit of a 16-bit picture at a third of its size, and commits it.
    ///
    /// - Parameters:
    ///   - samples: The red, green and blue of the picture.
    ///   - width: The width of the picture in pixels, a multiple of 3. Its longer side.
    ///   - name: The extension.
    ///   - values: The values of the edit.
    /// - Returns: The greatest difference between the preview and the reduced result, in levels of 8 bits.
    func differenceOfPreview(
        _ samples: [UInt16], width: Int, _ name: String, _ values: [String: String]
    ) async throws -> Double {
        let asset = try await add(
            LightAndColorTests.png(
                LightAndColorTests.image(samples, width: width, bands: 3, isDeep: true)))
        let session = try await open(asset, name, values, displaySize: width / 3)
        let preview = try await session.preview()
        try #require(preview.width == width / 3 && preview.pixelFormat == .rgb16)
        let shown = preview.data.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        _ = try await session.finish()
        let whole = try LightAndColorTests.current(asset, in: self)
        let difference = try #require(
            shown.largestDifference(fromReductionOf: whole, width: width, factor: 3))
        return difference / 257
    }
}
