// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// Returns an image of the same format that a function computes region by region.
    ///
    /// - Parameters:
    ///   - style: The demand style of the image.
    ///   - companion: The function's state, passed to it as `b`, unretained. The image retains it.
    ///   - operation: The operation's name in errors.
    ///   - size: The width and height in pixels, or nil for those of this image.
    ///   - generate: The function, called by libvips on its worker threads. Its sequence is a region of this image.
    func generating(
        _ style: VipsDemandStyle, _ companion: AnyObject, in operation: String,
        size: (width: Int32, height: Int32)? = nil, _ generate: @escaping VipsGenerateFn
    ) throws -> Image {
        guard let output = vips_image_new() else { throw VipsError.last(in: operation) }
        let result = Image(taking: output)
        var inputs: [UnsafeMutablePointer<VipsImage>?] = [pointer, nil]
        guard vips_image_pipeline_array(output, style, &inputs) == 0 else {
            throw VipsError.last(in: operation)
        }
        // The image has not been shared yet, so it may be changed.
        if let size { (output.pointee.Xsize, output.pointee.Ysize) = size }
        result.attach(companion)
        let status = vips_image_generate(
            output, vips_start_one, generate, vips_stop_one, pointer,
            Unmanaged.passUnretained(companion).toOpaque())
        guard status == 0 else { throw VipsError.last(in: operation) }
        return result
    }
}
