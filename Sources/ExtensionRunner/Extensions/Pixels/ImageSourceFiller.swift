// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Glibc
import Synchronization
import Vips

/// Computes the pixels of an image with the function of an extension: `ee_image_source`.
///
/// `@unchecked Sendable` is safe: the structure is constant, and the contract allows its functions to be called on any
/// thread.
final class ImageSourceFiller: AreaFiller, @unchecked Sendable {
    private let source: ee_image_source
    private let conversion: PixelConversion
    /// Whether the extension has transferred its data, which is then freed with this object.
    private let ownsData = Atomic(false)

    init(_ source: ee_image_source, _ conversion: PixelConversion) {
        self.source = source
        self.conversion = conversion
    }

    deinit {
        if ownsData.load(ordering: .acquiring) { source.release?(source.data) }
    }

    /// Takes ownership of the extension's data.
    func takeData() { ownsData.store(true, ordering: .releasing) }

    func fill(
        _ area: PixelArea, _ pixels: UnsafeMutableRawPointer, bytesPerRow: Int
    ) -> String? {
        guard !conversion.keepsSamples || !UInt(bitPattern: pixels).isMultiple(of: 16) else {
            return call(area, pixels, bytesPerRow)
        }
        let rowSize = (area.width * conversion.layout.bytesPerPixel + 15) & ~15
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: rowSize * area.height, alignment: 16)
        defer { memory.deallocate() }
        if let reason = call(area, memory, rowSize) { return reason }
        for row in 0..<area.height {
            conversion.store(
                memory + row * rowSize, to: pixels + row * bytesPerRow, count: area.width)
        }
        return nil
    }

    /// Returns the message of the extension if it has failed; `nil` if it has filled the area.
    private func call(
        _ area: PixelArea, _ pixels: UnsafeMutableRawPointer, _ bytesPerRow: Int
    ) -> String? {
        guard let fill = source.fill else { return "there is no function fill" }
        // The memory is cleared first, so that an extension that fills only a part does not return pixels of another
        // picture.
        for row in 0..<area.height {
            memset(pixels + row * bytesPerRow, 0, area.width * conversion.layout.bytesPerPixel)
        }
        var error = ee_error()
        let status = fill(
            source.data, UInt32(area.left), UInt32(area.top), UInt32(area.width),
            UInt32(area.height), pixels, bytesPerRow, &error)
        guard status != EE_OK else { return nil }
        let message = String(error)
        return message.isEmpty ? "fill returned the status \(status)" : abbreviated(message)
    }
}
