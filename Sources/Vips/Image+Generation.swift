// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// Returns an image of the same size and format that a function computes region by region.
    ///
    /// - Parameters:
    ///   - style: The demand style of the image.
    ///   - companion: The function's state, passed to it as `b`, unretained. Retained as long as the image.
    ///   - operation: The operation's name in errors.
    ///   - generate: The function, called by libvips on its worker threads. Its sequence is a region of this image.
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
