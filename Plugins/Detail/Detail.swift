// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Reduces noise, sharpens, and changes local contrast. 0 is neutral for all three, and the order in which values are
/// set does not matter.
struct Detail: PhotoFilter {
    static let identifier = "org.edithost.detail"
    static let version = "1.0"

    /// The amount of sharpening, 0...1.
    var sharpen = 0.0
    /// The standard deviation of the blur of the unsharp mask, 0.5...3 pixels of the full-size photo.
    var radius = 1.0
    /// The degree to which flat areas are excluded from sharpening, 0...1.
    var edges = 0.0
    /// The change of local contrast, -1...1.
    var definition = 0.0
    /// The strength of noise reduction in luma, 0...1.
    var luminanceNoise = 0.0
    /// The strength of noise reduction in colours, 0...1.
    var colorNoise = 0.0

    /// Definition reads the picture twice.
    var access: PixelAccess { definition == 0 ? .sequential : .random }

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        guard !isNeutral else { return image }
        return try DetailEdit(self, of: image, scale: context.scale).applied(to: image)
    }
}

extension Detail {
    /// Whether the output is the same as the input.
    private var isNeutral: Bool {
        sharpen == 0 && definition == 0 && luminanceNoise == 0 && colorNoise == 0
    }

    /// Throws an error if a value is out of range, because a recipe may contain any value.
    private func check() throws {
        try Self.check("sharpen", sharpen, 0...1)
        try Self.check("radius", radius, 0.5...3)
        try Self.check("edges", edges, 0...1)
        try Self.check("definition", definition, -1...1)
        try Self.check("luminanceNoise", luminanceNoise, 0...1)
        try Self.check("colorNoise", colorNoise, 0...1)
    }

    private static func check(
        _ name: String, _ value: Double, _ range: ClosedRange<Double>
    ) throws {
        guard !range.contains(value) else { return }
        let ends = [range.lowerBound, range.upperBound].map { end in
            end.rounded() == end ? "\(Int(end))" : "\(end)"
        }
        throw EditingExtensionError(
            code: .badParameter, message: "\(name) must be \(ends[0]) to \(ends[1]), not \(value)")
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Detail.self, host: host)
}
