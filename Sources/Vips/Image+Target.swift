// SPDX-License-Identifier: Apache-2.0

extension Image {
    /// Computes the pixels, encodes them and writes them to a target.
    ///
    /// - Parameters:
    ///   - target: The destination.
    ///   - saver: The saver, such as "jpegsave_target".
    ///   - options: The saver's options, such as `["Q": 92]`.
    /// - Throws: `VipsError` if an option is invalid, or if computing, encoding or writing fails.
    public func write(
        to target: ImageTarget, saver: String, options: [String: OperationValue] = [:]
    ) throws {
        let operation = try ImageOperation(saver)
        try operation.set("in", to: .image(self))
        try operation.set("target", to: .target(target))
        for (name, value) in options { try operation.set(name, to: value) }
        try operation.run()
    }

    /// Computes the pixels and returns them encoded.
    ///
    /// - Parameters:
    ///   - saver: The saver, such as "pngsave_buffer".
    ///   - options: The saver's options.
    /// - Throws: `VipsError` if an option is invalid, or if computing or encoding fails.
    public func encoded(
        saver: String, options: [String: OperationValue] = [:]
    ) throws -> [UInt8] {
        let operation = try ImageOperation(saver)
        try operation.set("in", to: .image(self))
        for (name, value) in options { try operation.set(name, to: value) }
        try operation.run()
        return try operation.bytes("buffer")
    }
}
