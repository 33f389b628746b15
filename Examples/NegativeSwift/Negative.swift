// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The negative of a photograph, as strong as one likes: a complete plug-in in Swift.
///
/// The stored properties are the parameters and the recipe; see `manifest.json` beside this file.
struct Negative: PhotoFilter {
    static let identifier = "org.example.negative"
    static let version = "1.0"

    /// From 0, nothing, to 1, all of it.
    var strength = 1.0

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        // v' = v + strength (white - 2 v); alpha, if there is one, stays as it is.
        let white = image.format == .ushort ? 65535.0 : 255.0
        let factors = [1, 1, 1].map { $0 - 2 * strength } + (image.bands == 4 ? [1] : [])
        let offsets = [1, 1, 1].map { $0 * strength * white } + (image.bands == 4 ? [0] : [])
        return try image.applying("linear", ["a": .doubles(factors), "b": .doubles(offsets)])
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Negative.self, host: host)
}
