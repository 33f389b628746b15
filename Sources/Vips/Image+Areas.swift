// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// Whether the image can be read only once, from top to bottom.
    package var isSequential: Bool { vips_image_is_sequential(pointer) != 0 }

    /// Computes an area on the calling thread, a few rows at a time.
    ///
    /// - Parameters:
    ///   - area: The area, which must lie within the image.
    ///   - body: Called with each row, from top to bottom: its index in the area, and its pixels without padding.
    package func readArea(_ area: PixelArea, _ body: (Int, UnsafeRawPointer) -> Void) throws {
        guard let region = vips_region_new(pointer) else { throw VipsError.last(in: "read") }
        defer { g_object_unref(region) }
        // Limits the memory, but is high enough that operations on neighbourhoods do not compute many rows twice.
        let step = max(16, (1 << 20) / max(1, area.width * bytesPerPixel))
        for first in stride(from: 0, to: area.height, by: step) {
            var rows = VipsRect(
                left: Int32(area.left), top: Int32(area.top + first), width: Int32(area.width),
                height: Int32(min(step, area.height - first)))
            guard vips_region_prepare(region, &rows) == 0 else {
                throw VipsError.last(in: "read")
            }
            for row in 0..<rows.height {
                guard let address = region.address(left: rows.left, top: rows.top + row) else {
                    throw VipsError.last(in: "read")
                }
                body(first + Int(row), address)
            }
        }
    }

    /// Returns an image with the metadata and the band format of this one, whose pixels a filler computes.
    ///
    /// - Parameters:
    ///   - bands: The number of bands, 3 or 4.
    ///   - filler: Computes the pixels. Retained as long as the image.
    package func filled(
        width: Int, height: Int, bands: Int, by filler: any AreaFiller
    ) throws -> Image {
        guard let output = vips_image_new() else { throw VipsError.last(in: "fill") }
        let result = Image(taking: output)
        var inputs: [UnsafeMutablePointer<VipsImage>?] = [pointer, nil]
        guard vips_image_pipeline_array(output, VIPS_DEMAND_STYLE_ANY, &inputs) == 0 else {
            throw VipsError.last(in: "fill")
        }
        // The image has not been shared yet, so it may be changed.
        output.pointee.Xsize = Int32(width)
        output.pointee.Ysize = Int32(height)
        output.pointee.Bands = Int32(bands)
        let companion = FilledAreas(source: self, filler: filler)
        result.attach(companion)
        let status = vips_image_generate(
            output, nil, generateFilled, nil, nil,
            Unmanaged.passUnretained(companion).toOpaque())
        guard status == 0 else { throw VipsError.last(in: "fill") }
        return result
    }
}

/// The state of an image that a filler computes, attached to that image.
private final class FilledAreas: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    private let filler: any AreaFiller

    init(source: Image, filler: any AreaFiller) {
        self.source = source
        self.filler = filler
    }

    func generate(_ output: UnsafeMutablePointer<VipsRegion>) -> Bool {
        let valid = output.pointee.valid
        guard let pixels = output.address(left: valid.left, top: valid.top) else { return false }
        let area = PixelArea(
            left: Int(valid.left), top: Int(valid.top), width: Int(valid.width),
            height: Int(valid.height))
        guard let reason = filler.fill(area, pixels, bytesPerRow: Int(output.pointee.bpl)) else {
            return true
        }
        VipsError.append(reason, in: "fill")
        return false
    }
}

/// Called by libvips on its worker threads: `b` is the `FilledAreas`.
private nonisolated func generateFilled(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let b else { return -1 }
    let areas = Unmanaged<FilledAreas>.fromOpaque(b).takeUnretainedValue()
    return areas.generate(output) ? 0 : -1
}
