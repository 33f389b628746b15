// SPDX-License-Identifier: Apache-2.0

import CVips
import Synchronization

extension Image {
    /// Returns an image with the same pixels that reports when they are first read. No pixel is copied.
    ///
    /// - Parameter handler: Called at most once, on any thread, before the pixels are computed.
    package func notifyingFirstRead(_ handler: @escaping @Sendable () -> Void) throws -> Image {
        try generating(
            VIPS_DEMAND_STYLE_ANY, FirstReadNotification(source: self, handler: handler),
            in: "notifying", forward)
    }
}

/// The state of an image that reports its first read, attached to that image.
private final class FirstReadNotification: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    private let handler: @Sendable () -> Void
    private let wasSent = Atomic(false)

    init(source: Image, handler: @escaping @Sendable () -> Void) {
        self.source = source
        self.handler = handler
    }

    func send() {
        guard !wasSent.load(ordering: .relaxed),
            !wasSent.exchange(true, ordering: .relaxed)
        else { return }
        handler()
    }
}

/// Called by libvips on its worker threads: the sequence is the region created by `vips_start_one`, `b` the
/// `FirstReadNotification`.
private nonisolated func forward(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let sequence, let b else { return -1 }
    Unmanaged<FirstReadNotification>.fromOpaque(b).takeUnretainedValue().send()
    let input = sequence.assumingMemoryBound(to: VipsRegion.self)
    var area = output.pointee.valid
    guard vips_region_prepare(input, &area) == 0 else { return -1 }
    // The output shares the input's pixels.
    return vips_region_region(output, input, &area, area.left, area.top)
}
