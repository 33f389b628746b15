// SPDX-License-Identifier: Apache-2.0

import CRetouch
import EditingExtensionAPI

/// Covers spots of a photo with pixels from elsewhere in it.
///
/// Spots are lists of the same order: the first target is covered from the first source. They are applied in this order,
/// each on top of those before. A target without a source is covered from the area beside it, because a form sets one list
/// after the other.
struct Retouch: PhotoFilter {
    static let identifier = "org.edithost.retouch"
    static let version = "1.0"
    static let shouldShowCancelConfirmation = true

    /// How a source covers a target.
    enum Mode: String, Codable {
        /// The source is adapted to the surroundings of the target.
        case heal
        /// The source is copied.
        case clone
    }

    /// How all spots are covered.
    var mode = Mode.heal
    /// The centres of the spots, in unit coordinates.
    var targets: [[Double]] = []
    /// The centres of the areas that cover the spots, in unit coordinates. Those without a target are ignored.
    var sources: [[Double]] = []
    /// A point on the edge of each spot, in unit coordinates. Spots without one have the common radius.
    var rims: [[Double]] = []
    /// The common radius, 0.001...0.25 of the longer side.
    var radius = 0.03
    /// The share of the radius over which spots fade in, 0...1.
    var feather = 0.25

    /// Sources can be anywhere.
    var access: PixelAccess { targets.isEmpty ? .sequential : .random }

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        guard !targets.isEmpty else { return image }
        let layer = try RetouchLayer(over: image)
        for spot in rt_spot.spots(of: self, width: image.width, height: image.height) {
            try layer.apply(spot, checkCancellation: context.checkCancellation)
        }
        return try layer.image()
    }
}

extension Retouch {
    /// The range of the common radius.
    static let radii = 0.001...0.25
    /// The greatest number of points in each list.
    private static let limit = 256

    /// Throws unless all values are in range. A recipe may contain any value.
    private func check() throws {
        for (name, points) in [("targets", targets), ("sources", sources), ("rims", rims)] {
            guard points.count <= Self.limit else {
                throw Self.bad("\(name) must be at most \(Self.limit) points, not \(points.count)")
            }
            for point in points {
                guard point.count == 2, point.allSatisfy((0...1).contains) else {
                    throw Self.bad(
                        "\(name) must be points in the picture, [x, y] of 0 to 1, not \(point)")
                }
            }
        }
        guard Self.radii.contains(radius) else {
            throw Self.bad("radius must be 0.001 to 0.25 of the longer side, not \(radius)")
        }
        guard (0...1).contains(feather) else {
            throw Self.bad("feather must be 0 to 1, not \(feather)")
        }
    }

    private static func bad(_ message: String) -> EditingExtensionError {
        EditingExtensionError(code: .badParameter, message: message)
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Retouch.self, host: host)
}
