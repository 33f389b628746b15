// SPDX-License-Identifier: Apache-2.0

extension Image {
    /// Returns the image that an operation computes from this one.
    ///
    ///     let mirrored = try image.applying("flip", ["direction": "horizontal"])
    ///
    /// - Parameters:
    ///   - operation: The libvips nickname of the operation.
    ///   - options: Its other arguments.
    ///   - input: The argument to set to this image. Nil means the first image argument.
    /// - Throws: `VipsError` if the operation or an argument does not exist, if a value is invalid, or if the operation
    ///   fails. Most operations compute pixels only when the result is read, and fail then.
    public func applying(
        _ operation: String, _ options: [String: OperationValue] = [:], input: String? = nil
    ) throws -> Image {
        let operation = try ImageOperation(operation)
        try operation.set(input ?? operation.imageArgument, to: .image(self))
        for (name, value) in options { try operation.set(name, to: value) }
        try operation.run()
        return try operation.image()
    }
}
