// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Keeps 0.4 of the light of a picture with colour transforms of the host.
struct Dimming: PhotoFilter {
    static let identifier = "org.example.dimming"
    static let version = "1.0"

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        let profile = RGBProfile(of: image)
        let toLight = try ColorTransform(from: .encoded(profile), to: .linear(profile))
        let toPicture = try ColorTransform(from: .linear(profile), to: .encoded(profile))
        let factors = [0.4, 0.4, 0.4, 1].prefix(image.bands)
        let greatest = image.format == .uchar ? 255.0 : 65535
        let white = try ColorTransform(from: .encoded(profile), to: .lab).applied(to: [1, 1, 1])
        guard abs(white[0] - 100) < 0.01 else {
            throw EditingExtensionError(code: .failed, message: "white is \(white)")
        }
        return try image.applying(toLight)
            .applying("linear", ["a": .doubles(Array(factors)), "b": .doubles([0])])
            .applying(toPicture)
            .applying("linear", ["a": .doubles([greatest]), "b": .doubles([0])])
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Dimming.self, host: host)
}
