// SPDX-License-Identifier: Apache-2.0

import CLensfun
import EditingExtensionAPI

/// The positions that a lens moves, for pictures of one size: lensfun's modifier.
///
/// Safe to use on several threads: lensfun changes a modifier only while it is initialised.
final class LensOptics: @unchecked Sendable {
    private let modifier: UnsafeMutablePointer<lfModifier>
    private let width: Int
    private let height: Int
    private let hasFringes: Bool

    /// Returns nil if there is nothing to correct.
    ///
    /// - Parameters:
    ///   - scale: The enlargement. 0: as little as fills the frame.
    /// - Throws: `EditingExtensionError` with `badAdjustment` if a model is unknown.
    init?(
        _ found: FoundLens, width: Int, height: Int, distortion: Bool, lateralColor: Bool,
        scale: Double
    ) throws {
        let isDistorted = distortion && found.distortion != nil
        hasFringes = lateralColor && found.lateralColor != nil
        guard isDistorted || hasFringes || scale != 0 else { return nil }
        let flags =
            LF_MODIFY_SCALE | (isDistorted ? LF_MODIFY_DISTORTION : 0)
            | (hasFringes ? LF_MODIFY_TCA : 0)
        modifier = try found.modifier(
            width: width, height: height, flags: flags, scale: scale, reverses: false)
        self.width = width
        self.height = height
    }

    deinit { lf_modifier_destroy(modifier) }

    /// Returns the corrected picture, in one interpolation.
    func applied(to image: Image) throws -> Image {
        hasFringes
            ? try image.warped(byColors: LensColorPositions(self), width: width, height: height)
            : try image.warped(by: LensPositions(self), width: width, height: height)
    }

    /// Returns the positions in the original of red, green and blue of a pixel of the result: x and y in turn.
    func positions(ofX column: Double, y row: Double) -> [6 of Float] {
        var result: [6 of Float] = .init(repeating: 0)
        let isMoved = withUnsafeMutableBytes(of: &result) { memory in
            lf_modifier_apply_subpixel_geometry_distortion(
                modifier, Float(column), Float(row), 1, 1,
                memory.bindMemory(to: Float.self).baseAddress) != 0
        }
        if !isMoved {
            for index in result.indices { result[index] = Float(index % 2 == 0 ? column : row) }
        }
        return result
    }
}
