// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// Darkens or lightens the surroundings of a point. The effect is strongest in the corners.
struct Vignette: PhotoFilter {
    static let identifier = "org.edithost.vignette"
    static let version = "1.0"

    /// The change of brightness in the corners, -1...1. Negative values darken; 1 is two stops.
    var amount = 0.0
    /// The distance from the centre at which half of the effect is reached, 0...1. The distance from the picture's
    /// centre to a corner is 1.
    var radius = 0.7
    /// The length of the fall-off, 0...1, in the same unit. 0 makes a hard edge.
    var softness = 0.8
    /// The shape of the vignette, 0...1. 0 is an ellipse with the aspect ratio of the picture, and 1 is a circle.
    var roundness = 0.0
    /// The centre, in unit coordinates of the picture.
    var center = UnitPoint(x: 0.5, y: 0.5)

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        guard amount != 0 else { return image }
        let picture = try context.withMatrixProfile(image)
        return try VignetteEdit(self, of: picture).applied(to: picture)
    }

    /// Throws an error if a value is out of range, because a recipe may contain any value.
    private func check() throws {
        guard (-1...1).contains(amount) else {
            throw bad("amount must be -1 to 1, not \(amount)")
        }
        for (name, value) in [
            ("radius", radius), ("softness", softness), ("roundness", roundness),
        ] where !(0...1).contains(value) {
            throw bad("\(name) must be 0 to 1, not \(value)")
        }
        guard (0...1).contains(center.x), (0...1).contains(center.y) else {
            throw bad("center must lie inside the picture, not at \(center.x),\(center.y)")
        }
    }

    private func bad(_ message: String) -> EditingExtensionError {
        EditingExtensionError(code: .badParameter, message: message)
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Vignette.self, host: host)
}
