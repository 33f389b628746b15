// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import CVips

extension Image {
    /// Returns an image of a given size whose pixels are interpolated at mapped positions of this one.
    ///
    /// The following turns a picture by 3 degrees clockwise about its centre:
    ///
    ///     let (cosine, sine) = (cos(3 * .pi / 180), sin(3 * .pi / 180))
    ///     let centre = (x: Double(image.width - 1) / 2, y: Double(image.height - 1) / 2)
    ///     let map = AffineMap(
    ///         xx: cosine, xy: sine, x: centre.x - cosine * centre.x - sine * centre.y,
    ///         yx: -sine, yy: cosine, y: centre.y + sine * centre.x - cosine * centre.y)
    ///     let turned = try image.warped(by: map, width: image.width, height: image.height)
    ///
    /// Interpolation is bicubic: the cubic convolution of Keys (1981) with a = -1/2, also known as Catmull-Rom,
    /// at 256 positions between two pixels. Colours are weighted with alpha. It does not average, so reduce an image
    /// first if the map shrinks it. Every processor computes the same samples, whatever tiles are read. Where the
    /// position is that of a pixel, the result is that pixel, except that colours without any opacity become 0.
    ///
    /// Pixels are computed when they are read, and need random access to this image.
    ///
    /// - Parameters:
    ///   - map: The position in this image for each pixel of the result.
    ///   - width: The width of the result in pixels.
    ///   - height: The height of the result in pixels.
    ///   - edges: What surrounds this image.
    /// - Returns: An image with the bands, format and metadata of this one.
    /// - Throws: `VipsError` with `unsupportedFormat` unless the image is RGB or RGBA of unsigned 8 or 16 bits. With
    ///   `invalidValue` if the size is not 1 to 10 million pixels on each side, or if a number of an ``AffineMap`` or a
    ///   position that it maps to is not finite or is beyond 2^28 pixels.
    public func warped(
        by map: some WarpMap, width: Int, height: Int, edges: WarpEdges = .repeated
    ) throws -> Image {
        guard let map = map as? AffineMap else {
            return try warped(along: CurvedMap(map), width: width, height: height, edges: edges)
        }
        guard let lines = FixedPointMap(map, width: width, height: height) else {
            throw Self.invalidWarp("the map leads more than 2^28 pixels away, or nowhere: \(map)")
        }
        return try warped(along: lines, width: width, height: height, edges: edges)
    }

    /// Returns an image whose colours are interpolated at different positions of this one, for example to remove the
    /// coloured fringes of a lens. Alpha is interpolated at the positions of green. Otherwise the same as
    /// ``warped(by:width:height:edges:)``.
    ///
    /// 8-bit RGB takes as much time as with one map if the processor has AVX2. Other pictures take three times as much.
    ///
    /// - Throws: `VipsError`, like ``warped(by:width:height:edges:)``.
    public func warped(
        byColors maps: some ColorWarpMap, width: Int, height: Int, edges: WarpEdges = .repeated
    ) throws -> Image {
        try warped(along: CurvedMap(maps), width: width, height: height, edges: edges)
    }

    private func warped(
        along lines: some WarpLines, width: Int, height: Int, edges: WarpEdges
    ) throws -> Image {
        guard format == .uchar || format == .ushort, bands == 3 || bands == 4 else {
            throw VipsError(
                code: .unsupportedFormat, operation: "warp",
                message:
                    "takes 3 or 4 bands of 8-bit or 16-bit unsigned samples, "
                    + "not \(bands) of \(format.name)")
        }
        let sides = 1...Int(VIPS_MAX_COORD)
        guard sides.contains(width), sides.contains(height) else {
            throw Self.invalidWarp("the size \(width) × \(height) is out of range")
        }
        return try generating(
            VIPS_DEMAND_STYLE_SMALLTILE, Warp(source: self, lines: lines, edges: edges), in: "warp",
            size: (Int32(width), Int32(height)), generateWarped)
    }

    private static func invalidWarp(_ message: String) -> VipsError {
        VipsError(code: .invalidValue, operation: "warp", message: message)
    }
}

/// Called by libvips on its worker threads: the sequence is the region created by `vips_start_one`, `b` the `Warp`.
private nonisolated func generateWarped(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let sequence, let b else { return -1 }
    let input = sequence.assumingMemoryBound(to: VipsRegion.self)
    let warp = Unmanaged<Warp>.fromOpaque(b).takeUnretainedValue()
    return warp.generate(output, from: input) ? 0 : -1
}
