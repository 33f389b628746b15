// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// An image as large as this one, of the same format, which a function computes from it, region by region.
    ///
    /// - Parameters:
    ///   - style: how the image likes to be asked.
    ///   - companion: what the function needs; kept as long as the image, and given to the function as `b`, unretained.
    ///   - operation: what it is called in errors.
    ///   - generate: called by libvips on its worker threads; the sequence is a region of this image.
    func generating(
        _ style: VipsDemandStyle, _ companion: AnyObject, in operation: String,
        _ generate: @escaping VipsGenerateFn
    ) throws -> Image {
        guard let output = vips_image_new() else { throw VipsError.last(in: operation) }
        let result = Image(taking: output)
        var inputs: [UnsafeMutablePointer<VipsImage>?] = [pointer, nil]
        guard vips_image_pipeline_array(output, style, &inputs) == 0 else {
            throw VipsError.last(in: operation)
        }
        result.attach(companion)
        let status = vips_image_generate(
            output, vips_start_one, generate, vips_stop_one, pointer,
            Unmanaged.passUnretained(companion).toOpaque())
        guard status == 0 else { throw VipsError.last(in: operation) }
        return result
    }
}
