// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Mirrors a picture, rotates it by quarter turns, straightens it and crops it, in this order.
struct CropRotate: PhotoFilter {
    static let identifier = "org.edithost.croprotate"
    static let version = "1.1"
    static let shouldShowCancelConfirmation = true

    /// The direction in which the picture is mirrored.
    enum Flip: String, Codable {
        case none, horizontal, vertical
    }

    /// The number of quarter turns clockwise, 0...3.
    var turns = 0
    /// The direction of mirroring, which is applied first.
    var flip = Flip.none
    /// The angle of straightening in degrees clockwise, -45...45.
    var angle = 0.0
    /// The crop in unit coordinates of the mirrored, rotated and straightened picture.
    var crop = UnitRectangle.full
    /// Whether straightening keeps the corners of the picture, and fills the empty areas with black, or with
    /// transparency if there is an alpha channel. Otherwise, it keeps the largest centred rectangle of the same aspect
    /// ratio that has no empty corners.
    var expand = false

    /// Only horizontal mirroring and cropping can read the rows from top to bottom.
    var access: PixelAccess {
        turns == 0 && flip != .vertical && angle == 0 ? .sequential : .random
    }

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        var result = image
        if flip != .none {
            result = try result.applying("flip", ["direction": .string(flip.rawValue)])
        }
        if turns != 0 {
            result = try result.applying("rot", ["angle": .integer(turns)])
        }
        if angle != 0 {
            let straightening = Straightening(
                angle: angle, width: result.width, height: result.height, expand: expand)
            return try straightening.apply(to: result, crop: crop)
        }
        return try result.cropped(to: crop)
    }

    private func check() throws {
        guard (0...3).contains(turns) else {
            throw bad("turns must be 0 to 3, not \(turns)")
        }
        guard (-45...45).contains(angle) else {
            throw bad("angle must be -45 to 45 degrees, not \(angle)")
        }
        // The tolerance allows for rounding errors of decimal fractions.
        guard crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0,
            crop.x + crop.width <= 1 + 1e-9, crop.y + crop.height <= 1 + 1e-9
        else { throw bad("crop must lie inside the picture") }
    }

    private func bad(_ message: String) -> EditingExtensionError {
        EditingExtensionError(code: .badParameter, message: message)
    }
}

extension Image {
    /// Returns the part of the image in a unit rectangle, or the image itself if the rectangle covers all of it.
    fileprivate func cropped(to crop: UnitRectangle) throws -> Image {
        let part = crop.pixels(ofWidth: width, height: height)
        if part.width == width && part.height == height { return self }
        return try applying(
            "extract_area",
            [
                "left": .integer(part.left), "top": .integer(part.top),
                "width": .integer(part.width), "height": .integer(part.height),
            ])
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(CropRotate.self, host: host)
}
