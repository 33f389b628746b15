// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// Removes distortion, lateral chromatic aberration and vignetting with the data of lensfun.
///
/// The data of the photo's lens is part of the recipe, so a newer version of lensfun's data changes no picture.
struct LensCorrection: PhotoFilter {
    static let identifier = "org.edithost.lenscorrection"
    static let version = "1.1"

    /// Whether bent lines are straightened.
    var distortion = true
    /// Whether coloured fringes are removed.
    var lateralColor = true
    /// Whether dark corners are lightened.
    var vignetting = true
    /// The enlargement, 0.25...2. 0: as little as fills the frame.
    var scale = 0.0
    /// The model of the lens, as in lensfun's data. Empty: that of the photo's metadata.
    var lens = ""
    /// The model of the camera, as in lensfun's data. Empty: that of the photo's metadata.
    var camera = ""
    /// The lens that was found. Nil: none has been found yet.
    var found: FoundLens?

    /// Why no lens was found. Not stored, and no error before a picture is rendered: the user can still choose a lens.
    private var problem: EditingExtensionError?

    private enum CodingKeys: CodingKey {
        case distortion, lateralColor, vignetting, scale, lens, camera, found
    }

    var access: PixelAccess { .random }

    /// Searches for the lens of a new edit, and of a recipe that was made for another photo.
    mutating func begin(on input: ContentEditingInput) throws { find(for: input.capture) }

    /// Searches again if the lens or the camera is set, also to the value that it had, as `extensions upgrade` does.
    mutating func adapt(to input: ContentEditingInput, setting names: Set<String>) throws {
        let known = found
        if !names.isDisjoint(with: ["lens", "camera"]) { found = nil }
        find(for: input.capture)
        // The data lack a lens that they contained before.
        if let known, found == nil,
            known.query == LensQuery(input.capture, lens: lens, camera: camera)
        {
            EditingExtension.log("keeps the data of \(known.lens), which are no longer available")
            (found, problem) = (known, nil)
        }
    }

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        guard scale == 0 || (0.25...2).contains(scale) else {
            throw EditingExtensionError(
                code: .badParameter, message: "scale must be 0, or 0.25 to 2, not \(scale)")
        }
        guard let found else {
            throw problem
                ?? EditingExtensionError(
                    code: .badAdjustment, message: "the recipe lacks the lens that was found")
        }
        try found.check()
        // The lens darkens the picture that it has bent.
        let isDarkened = vignetting && found.vignetting != nil
        let lightened =
            isDarkened
            ? try LensVignetting.removed(from: context.withMatrixProfile(image), found) : image
        let optics = try LensOptics(
            found, width: image.width, height: image.height, distortion: distortion,
            lateralColor: lateralColor, scale: scale)
        return try optics?.applied(to: lightened) ?? lightened
    }

    private mutating func find(for capture: Capture) {
        let query = LensQuery(capture, lens: lens, camera: camera)
        problem = nil
        guard found?.query != query else { return }
        found = nil
        do {
            found = try LensDatabase().find(query)
        } catch {
            problem = error
        }
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(LensCorrection.self, host: host)
}
