// SPDX-License-Identifier: Apache-2.0

import CVips
import Synchronization

extension Image {
    /// Returns the same image for reading once, from top to bottom. Requests for rows above a window fail, even if the
    /// source could be read in another order.
    ///
    /// The window is as large as that of libvips' sequential loaders: at least 512 rows, and more with many threads.
    package func readingSequentially() throws -> Image {
        // Operations that read further up, such as a reduction, then keep the rows they need.
        let marked = try copying { $0.set(VIPS_META_SEQUENTIAL, to: 1) }
        return try marked.generating(
            VIPS_DEMAND_STYLE_ANY, SequentialRows(source: marked), in: "sequential access",
            generateSequentially)
    }
}

/// The read position of an image, attached to the image derived from it.
private final class SequentialRows: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    private let window: Int32
    /// The row after the last one that has been requested.
    private let end = Atomic(Int32(0))

    init(source: Image) {
        self.source = source
        var (columns, rows, buffered): (Int32, Int32, Int32) = (0, 0, 0)
        vips_get_tile_size(source.pointer, &columns, &rows, &buffered)
        // The threads fill two buffers. Operations on neighbourhoods need the same again, as in libvips' line cache.
        window = 4 * buffered
    }

    func generate(
        _ output: UnsafeMutablePointer<VipsRegion>, from input: UnsafeMutablePointer<VipsRegion>
    ) -> Bool {
        var area = output.pointee.valid
        let end = end.max(area.top + area.height, ordering: .relaxed).oldValue
        guard area.top >= end - window else {
            VipsError.append(
                "row \(area.top) is requested after row \(end - 1); images with sequential access "
                    + "are read once, from top to bottom: request random access instead",
                in: "sequential access")
            return false
        }
        return vips_region_prepare(input, &area) == 0
            && vips_region_region(output, input, &area, area.left, area.top) == 0
    }
}

/// Called by libvips on its worker threads: the sequence is the region created by `vips_start_one`, `b` the
/// `SequentialRows`.
private nonisolated func generateSequentially(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let sequence, let b else { return -1 }
    let input = sequence.assumingMemoryBound(to: VipsRegion.self)
    let rows = Unmanaged<SequentialRows>.fromOpaque(b).takeUnretainedValue()
    return rows.generate(output, from: input) ? 0 : -1
}
