// SPDX-License-Identifier: Apache-2.0

import CVips
import Glibc

extension Image {
    /// Creates an image from pixels in a file, in row-major order without padding, with 16-bit samples in native byte
    /// order.
    ///
    /// The image is lazy. It can be read in any order, by any thread and more than once; pixels are read from the file
    /// on demand. For images that are read once from top to bottom, this is cheaper than mapping the file, because no
    /// page enters the address space.
    ///
    /// - Parameters:
    ///   - descriptor: The file, read with `pread`. It must stay open until `release` is called.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - bands: The number of samples per pixel.
    ///   - format: The numeric type of the samples.
    ///   - interpretation: The meaning of the bands.
    ///   - release: Called once, on any thread, when no image reads the file any longer. Not called if this throws.
    /// - Throws: `VipsError` with `invalidValue` for an invalid size. If the file is too short, reading the pixels
    ///   fails.
    public convenience init(
        pixelsInFile descriptor: Int32, width: Int, height: Int, bands: Int, format: BandFormat,
        interpretation: Interpretation, release: @escaping @Sendable () -> Void
    ) throws {
        let sides = 1...Int(VIPS_MAX_COORD)
        guard sides.contains(width), sides.contains(height), (1...4).contains(bands) else {
            throw VipsError(
                code: .invalidValue, operation: "image from a file",
                message: "no image has \(width)x\(height) pixels of \(bands) bands")
        }
        guard let output = vips_image_new() else { throw VipsError.last(in: "image from a file") }
        self.init(taking: output)
        vips_image_init_fields(
            output, Int32(width), Int32(height), Int32(bands),
            VipsBandFormat(rawValue: format.rawValue), VIPS_CODING_NONE,
            VipsInterpretation(rawValue: interpretation.rawValue), 1, 1)
        let file = PixelFile(
            descriptor: descriptor, pixelSize: bands * format.size, width: width,
            release: release)
        var inputs: [UnsafeMutablePointer<VipsImage>?] = [nil]
        guard vips_image_pipeline_array(output, VIPS_DEMAND_STYLE_THINSTRIP, &inputs) == 0,
            vips_image_generate(
                output, nil, readRows, nil, Unmanaged.passUnretained(file).toOpaque(), nil) == 0
        else { throw VipsError.last(in: "image from a file") }
        file.isOwner = true
        attach(file)
    }
}

/// The state of an image of pixels in a file, attached to that image.
///
/// `@unchecked Sendable` is safe: `isOwner` is set before the image is shared, everything else is constant, and `pread`
/// does not move the file's offset.
private final class PixelFile: @unchecked Sendable {
    private let descriptor: Int32
    private let pixelSize: Int
    private let width: Int
    private let release: @Sendable () -> Void
    fileprivate var isOwner = false

    init(descriptor: Int32, pixelSize: Int, width: Int, release: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.pixelSize = pixelSize
        self.width = width
        self.release = release
    }

    deinit { if isOwner { release() } }

    /// Fills the valid area of a region.
    func read(into region: UnsafeMutablePointer<VipsRegion>) -> Bool {
        let area = region.pointee.valid
        let isWhole = Int(area.width) == width
        // Whole rows that are also contiguous in memory are read with one call.
        let isPacked = isWhole && Int(region.pointee.bpl) == width * pixelSize
        let rows = isPacked ? 1 : Int(area.height)
        let length = Int(area.width) * pixelSize * (isPacked ? Int(area.height) : 1)
        for row in 0..<rows {
            let top = Int(area.top) + row
            guard let target = region.address(left: area.left, top: Int32(top)) else {
                return false
            }
            let offset = (top * width + Int(area.left)) * pixelSize
            guard fill(target, length, from: offset) else { return false }
        }
        return true
    }

    private func fill(_ target: UnsafeMutableRawPointer, _ length: Int, from offset: Int) -> Bool {
        var done = 0
        while done < length {
            let count = pread(descriptor, target + done, length - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = count < 0 ? String(cString: strerror(errno)) : "it is too short"
                VipsError.append(reason, in: "image from a file")
                return false
            }
            done += count
        }
        return true
    }
}

/// Called by libvips on its worker threads: `a` is the `PixelFile`.
private nonisolated func readRows(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let a else { return -1 }
    let file = Unmanaged<PixelFile>.fromOpaque(a).takeUnretainedValue()
    return file.read(into: output) ? 0 : -1
}
