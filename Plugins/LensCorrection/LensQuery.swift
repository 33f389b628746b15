// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// What a lens is searched by: the photo's metadata, or the user's choice.
struct LensQuery: Codable, Hashable, Sendable {
    /// The manufacturer of the camera. Nil: any.
    var make: String?
    /// The model of the camera.
    var model: String?
    /// The model of the lens.
    var lens: String?
    /// The focal length in millimetres.
    var focalLength: Double?
    /// The focal length of the same angle of view on 35 mm film, in millimetres.
    var focalLengthIn35mmFilm: Double?
    /// The f-number.
    var aperture: Double?
    /// The distance of the subject in metres.
    var distance: Double?
    /// Whether the user chose the lens.
    var isLensChosen: Bool
    /// The EXIF orientation of the original, 1...8.
    var orientation: Int

    /// - Parameters:
    ///   - capture: The photo's metadata.
    ///   - lens: The lens that the user chose, or an empty string.
    ///   - camera: The camera that the user chose, or an empty string.
    init(_ capture: Capture, lens: String, camera: String) {
        func positive(_ number: Double?) -> Double? { number.flatMap { $0 > 0 ? $0 : nil } }
        make = camera.isEmpty ? capture.cameraMake : nil
        model = camera.isEmpty ? capture.cameraModel : camera
        self.lens = lens.isEmpty ? capture.lensModel : lens
        focalLength = positive(capture.focalLength)
        focalLengthIn35mmFilm = positive(capture.focalLengthIn35mmFilm)
        aperture = positive(capture.aperture)
        distance = positive(capture.subjectDistance)
        isLensChosen = !lens.isEmpty
        orientation = capture.orientation
    }

    /// The crop factor that the two focal lengths imply.
    var impliedCropFactor: Double? {
        guard let focalLength, let focalLengthIn35mmFilm else { return nil }
        return focalLengthIn35mmFilm / focalLength
    }

    /// What the metadata contain, for messages.
    var summary: String {
        let names = [make, model].compactMap(\.self).joined(separator: " ")
        let lens = lens.map { "the lens “\($0)”" } ?? "no lens"
        return "\(lens) and \(names.isEmpty ? "no camera" : "the camera “\(names)”")"
    }
}
