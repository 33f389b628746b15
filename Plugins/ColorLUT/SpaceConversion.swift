// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The conversion between a picture's colours and those that a table expects.
final class SpaceConversion: Sendable {
    private let toTable: ColorTransform
    private let toPicture: ColorTransform
    private let space: TableSpace
    private let reportsClipping: Bool

    /// - Parameter reportsClipping: Whether the number of clipped pixels is written to the extension's log.
    /// - Returns: A conversion, or nil if the picture is already in this space.
    /// - Throws: `EditingExtensionError` with `unsupported` if the picture's profile is not a matrix with curves.
    init?(of image: Image, to space: TableSpace, reportsClipping: Bool) throws {
        let profile = RGBProfile(of: image)
        guard profile != space.profile else { return nil }
        toTable = try ColorTransform(from: .encoded(profile), to: .encoded(space.profile))
        toPicture = try ColorTransform(from: .encoded(space.profile), to: .encoded(profile))
        self.space = space
        self.reportsClipping = reportsClipping
        guard try Self.isNoticeable(toTable) || Self.isNoticeable(toPicture) else { return nil }
    }

    /// Whether a transform changes any of a set of sample colours by more than two levels of 8 bits.
    ///
    /// Smaller changes come from rounding in profiles of the same space. Applying them would move saturated colours out
    /// of the gamut.
    private static func isNoticeable(_ transform: ColorTransform) throws -> Bool {
        let levels = (0...16).map { Float($0) / 16 }
        let grays = (0...1023).flatMap { [Float](repeating: Float($0) / 1023, count: 3) }
        let colors = levels.flatMap { red in
            levels.flatMap { green in levels.flatMap { blue in [red, green, blue] } }
        }
        let before = colors + grays
        var after = before
        try after.withUnsafeMutableBufferPointer { memory in
            guard let start = memory.baseAddress else { return }
            try transform.apply(start, to: start, pixels: memory.count / 3, bands: 3)
        }
        return zip(before, after).contains { abs($0 - $1) > 2.0 / 255 }
    }

    func convertToTable(_ colors: UnsafeMutablePointer<Float>, count: Int) {
        // This fails only for other numbers of bands.
        try? toTable.apply(colors, to: colors, pixels: count, bands: 3)
    }

    func convertToPicture(_ colors: UnsafeMutablePointer<Float>, count: Int) {
        try? toPicture.apply(colors, to: colors, pixels: count, bands: 3)
    }

    /// Logs the number of pixels that were outside the space, unless it is 0.
    func report(clipped count: UInt64) {
        guard reportsClipping, count > 0 else { return }
        let pixels = count == 1 ? "1 pixel" : "\(count) pixels"
        EditingExtension.log(
            "\(pixels) outside \(space.name) \(count == 1 ? "was" : "were") clipped")
    }
}
