// SPDX-License-Identifier: Apache-2.0

import CVips
import Synchronization

extension Image {
    /// Returns the same image, but reads rows that are not requested a few at a time and discards them.
    ///
    /// A sequential loader computes all rows above a request at once and holds them in memory. For a crop of a
    /// gigapixel image, that is hundreds of megabytes.
    ///
    /// - Parameters:
    ///   - rows: The number of rows to skip at a time, at least 1.
    ///   - progress: Called on any thread after roughly every 64 MiB of pixels read.
    public func skippingRows(
        inStepsOf rows: Int, progress: @escaping @Sendable () -> Void = {}
    ) throws -> Image {
        let steps = RowSteps(
            source: self, rows: Int32(max(1, min(rows, 1 << 16))), progress: progress)
        return try generating(
            VIPS_DEMAND_STYLE_THINSTRIP, steps, in: "skipping rows", generateInSteps)
    }
}

/// The read position of an image, attached to the image derived from it.
private final class RowSteps: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    private let rows: Int32
    private let progress: @Sendable () -> Void
    /// The number of rows between two progress calls.
    private let interval: Int32
    /// The row after the last requested one, and the row of the next progress call.
    private let position: Mutex<(end: Int32, next: Int32)>

    init(source: Image, rows: Int32, progress: @escaping @Sendable () -> Void) {
        self.source = source
        self.rows = rows
        self.progress = progress
        let rowLength = max(1, source.byteCount / max(1, source.height))
        interval = Int32(clamping: max(1, (64 << 20) / rowLength))
        position = Mutex((0, interval))
    }

    func generate(
        _ output: UnsafeMutablePointer<VipsRegion>, from input: UnsafeMutablePointer<VipsRegion>
    ) -> Bool {
        var area = output.pointee.valid
        var isComputed = true
        let reportsProgress = position.withLock { position in
            // Threads run slightly ahead of one another; small distances are not gaps.
            while isComputed, area.top - position.end > 4 * rows {
                var step = VipsRect(left: 0, top: position.end, width: 1, height: rows)
                isComputed = vips_region_prepare(input, &step) == 0
                position.end += rows
                if position.end >= position.next {
                    position.next = position.end + interval
                    progress()
                }
            }
            position.end = max(position.end, area.top + area.height)
            guard position.end >= position.next else { return false }
            position.next = position.end + interval
            return true
        }
        if reportsProgress { progress() }
        return isComputed && vips_region_prepare(input, &area) == 0
            && vips_region_region(output, input, &area, area.left, area.top) == 0
    }
}

/// Called by libvips on its worker threads: the sequence is the region created by `vips_start_one`, `a` the source
/// image, `b` the `RowSteps`.
private nonisolated func generateInSteps(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let sequence, let b else { return -1 }
    let input = sequence.assumingMemoryBound(to: VipsRegion.self)
    let steps = Unmanaged<RowSteps>.fromOpaque(b).takeUnretainedValue()
    return steps.generate(output, from: input) ? 0 : -1
}
