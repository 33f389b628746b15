// SPDX-License-Identifier: Apache-2.0

extension Image {
    /// Opens an encoded picture. The header is decoded immediately, and the pixels on demand.
    ///
    /// - Parameters:
    ///   - source: The encoded picture.
    ///   - loader: The loader, such as "jpegload_source". Nil lets libvips detect the format.
    ///   - options: The loader's options, such as `["access": "sequential", "fail_on": "truncated"]`.
    /// - Throws: `VipsError` if no loader recognises the picture, an option is invalid, or the header cannot be
    ///   decoded.
    public convenience init(
        source: ImageSource, loader: String? = nil, options: [String: OperationValue] = [:]
    ) throws {
        let operation = try ImageOperation(loader ?? source.findLoader())
        try operation.set("source", to: .source(source))
        for (name, value) in options { try operation.set(name, to: value) }
        try operation.run()
        self.init(taking: try operation.image().passRetained())
    }
}
