// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Makes a photo brighter or darker: a complete extension.
struct Brightness: PhotoFilter {
    static let identifier = "org.example.brightness"
    static let version = "1.0"

    /// The factor for red, green and blue; 1 has no effect.
    var gain = 1.0

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        // An image has 3 bands, or 4: the last is alpha and does not change.
        let factors = [gain, gain, gain, 1].prefix(image.bands)
        return try image.applying("linear", ["a": .doubles(Array(factors)), "b": 0])
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Brightness.self, host: host)
}
