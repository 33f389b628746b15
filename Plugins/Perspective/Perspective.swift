// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Straightens lines that converge because the camera was tilted, or turns a quadrilateral into a rectangle.
struct Perspective: PhotoFilter {
    static let identifier = "org.edithost.perspective"
    static let version = "1.0"

    /// A rotation of the camera downwards, -1...1 for -30 to 30 degrees. Positive values widen the top of the picture.
    var vertical = 0.0
    /// A rotation of the camera to the right, -1...1 for -30 to 30 degrees. Positive values widen the left side.
    var horizontal = 0.0
    /// The change of the aspect ratio, -1...1. The ratio of width to height is multiplied by two to this power.
    var aspect = 0.0
    /// Four points in unit coordinates that become the corners of a rectangle, in any order. They replace `vertical`
    /// and `horizontal`. Fewer than four have no effect, so that a user interface can add them one by one.
    var points: [[Double]] = []

    var access: PixelAccess { isNeutral ? .sequential : .random }

    private var isNeutral: Bool {
        aspect == 0 && points.count < 4 && vertical == 0 && horizontal == 0
    }

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        guard !isNeutral else { return image }
        let picture = UprightRectangle(
            x: 0, y: 0, width: Double(image.width), height: Double(image.height))
        return try view(of: picture, focalLength(context.capture)).apply(to: image)
    }

    /// - Parameter focalLength: The focal length relative to the diagonal.
    private func view(
        of picture: UprightRectangle, _ focalLength: Double
    ) throws -> CorrectedView {
        guard points.count < 4 else {
            let quadrilateral = try Quadrilateral(
                points.map { PlanePoint(x: $0[0], y: $0[1]) }, of: picture)
            return try CorrectedView(
                of: picture, through: Projection(rectangleFrom: quadrilateral).scaled(by: aspect),
                about: quadrilateral.centre)
        }
        let turned = Projection(
            turnedDown: vertical * .pi / 6, right: horizontal * .pi / 6,
            focalLength: focalLength * picture.diagonal, about: picture.centre)
        return try CorrectedView(
            of: picture, through: turned.scaled(by: aspect), about: picture.centre)
    }

    /// Returns the focal length relative to the picture's diagonal: that of the picture's metadata, or otherwise that
    /// of a 35 mm lens.
    private func focalLength(_ capture: Capture) -> Double {
        let diagonal = (36.0 * 36 + 24 * 24).squareRoot()
        let millimetres = capture.focalLengthIn35mmFilm ?? 0
        return ((4...2000).contains(millimetres) ? millimetres : 35) / diagonal
    }

    private func check() throws {
        let sliders = [("vertical", vertical), ("horizontal", horizontal), ("aspect", aspect)]
        for (name, value) in sliders where !(-1...1).contains(value) {
            throw bad("\(name) must be -1 to 1, not \(value)")
        }
        guard points.count <= 4 else {
            throw bad("points must be at most four, not \(points.count)")
        }
        for point in points {
            guard point.count == 2, point.allSatisfy({ (0...1).contains($0) }) else {
                throw bad("points must be pairs of numbers from 0 to 1")
            }
        }
    }

    private func bad(_ message: String) -> EditingExtensionError {
        EditingExtensionError(code: .badParameter, message: message)
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Perspective.self, host: host)
}
