// SPDX-License-Identifier: Apache-2.0

import CVips
import Glibc

extension Image {
    /// An image of pixels that lie in a file, row after row without padding, 16-bit numbers in this
    /// machine's byte order.
    ///
    /// Lazy, and can be read in any order, by any thread and more than once; each pixel is read from
    /// the file when it is wanted. For pictures that are read once from top to bottom that is
    /// cheaper than mapping the file: no page of it has to be entered into the address space.
    ///
    /// - Parameters:
    ///   - descriptor: Read with `pread`. It stays open until `release`.
    ///   - width: Columns.
    ///   - height: Rows.
    ///   - bands: Numbers in a pixel.
    ///   - format: How each is stored.
    ///   - interpretation: What they mean.
    ///   - release: Called once, on any thread, when no image reads the file any more. Not called
    ///     when this throws.
    /// - Throws: `VipsError` with `invalidValue` for a size that no image has. A file that is too short
    ///   fails when its pixels are pulled.
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

/// What an image of pixels in a file needs as long as it lives; it is attached to that image.
///
/// `@unchecked Sendable` is safe: `isOwner` is set before anybody else has the image, the rest is
/// constant, and `pread` moves no offset.
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
        // Whole rows that follow one another in memory too are read at once.
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
