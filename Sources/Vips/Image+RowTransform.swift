// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// A function over one row. Arguments: source, destination, pixels, bands.
    @usableFromInline
    typealias RowFunction =
        @Sendable (
            UnsafeRawPointer, UnsafeMutableRawPointer, Int, Int
        ) -> Void

    /// Returns the image that a row function computes from this one.
    @usableFromInline
    func mappingRows(_ function: @escaping RowFunction) throws -> Image {
        try generating(
            VIPS_DEMAND_STYLE_THINSTRIP, RowTransform(source: self, function: function),
            in: "mapping", generateRows)
    }
}

/// The state of an image computed by a kernel, attached to that image.
private final class RowTransform: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    private let function: Image.RowFunction

    init(source: Image, function: @escaping Image.RowFunction) {
        self.source = source
        self.function = function
    }

    /// Computes the valid area of an output region from the input region of the same thread.
    func generate(
        _ output: UnsafeMutablePointer<VipsRegion>, from input: UnsafeMutablePointer<VipsRegion>
    ) -> Bool {
        var area = output.pointee.valid
        guard vips_region_prepare(input, &area) == 0 else { return false }
        let bands = Int(input.pointee.im.pointee.Bands)
        for row in 0..<area.height {
            let top = area.top + row
            guard let from = input.address(left: area.left, top: top),
                let to = output.address(left: area.left, top: top)
            else { return false }
            function(UnsafeRawPointer(from), to, Int(area.width), bands)
        }
        return true
    }
}

/// Called by libvips on its worker threads: the sequence is the region created by `vips_start_one`, `a` the source
/// image, `b` the `RowTransform`.
private nonisolated func generateRows(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let sequence, let b else { return -1 }
    let input = sequence.assumingMemoryBound(to: VipsRegion.self)
    let transform = Unmanaged<RowTransform>.fromOpaque(b).takeUnretainedValue()
    return transform.generate(output, from: input) ? 0 : -1
}
