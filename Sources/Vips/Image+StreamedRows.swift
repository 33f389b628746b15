// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// Returns an image of pixels in memory that are still being written, from the top row down.
    ///
    /// The image is lazy. It can be read in any order, by any thread, more than once. A read of a row that has not been
    /// written yet waits for it.
    ///
    /// - Parameters:
    ///   - isCopied: Whether readers get a copy of the pixels, for pixels that may still change after they have been
    ///     written.
    ///   - waiting: Blocks until the given number of rows is available. Called on libvips' worker threads,
    ///     concurrently. If it returns a message, the rows will never be written, and reading the image fails with that
    ///     message.
    package func streamed(
        isCopied: Bool, waiting: @escaping @Sendable (Int) -> String?
    ) throws -> Image {
        let rows = StreamedPixels(source: self, isCopied: isCopied, waiting: waiting)
        return try generating(
            VIPS_DEMAND_STYLE_ANY, rows, in: "streamed pixels", generateStreamed)
    }
}

/// The state of an image whose pixels are still being written, attached to that image.
private final class StreamedPixels: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    private let isCopied: Bool
    private let waiting: @Sendable (Int) -> String?

    init(source: Image, isCopied: Bool, waiting: @escaping @Sendable (Int) -> String?) {
        self.source = source
        self.isCopied = isCopied
        self.waiting = waiting
    }

    func generate(
        _ output: UnsafeMutablePointer<VipsRegion>, from input: UnsafeMutablePointer<VipsRegion>
    ) -> Bool {
        var area = output.pointee.valid
        if let reason = waiting(Int(area.top + area.height)) {
            VipsError.append(reason, in: "streamed pixels")
            return false
        }
        guard vips_region_prepare(input, &area) == 0 else { return false }
        guard isCopied else {
            return vips_region_region(output, input, &area, area.left, area.top) == 0
        }
        vips_region_copy(input, output, &area, area.left, area.top)
        return true
    }
}

/// Called by libvips on its worker threads: `sequence` is a region of the source, `b` the `StreamedPixels`.
private nonisolated func generateStreamed(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let sequence, let b else { return -1 }
    let input = sequence.assumingMemoryBound(to: VipsRegion.self)
    let rows = Unmanaged<StreamedPixels>.fromOpaque(b).takeUnretainedValue()
    return rows.generate(output, from: input) ? 0 : -1
}
