// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// How a photograph was taken, as its original's file says in EXIF; nil where it does not. It is the same
/// whenever an edit is made again.
public struct Capture: Hashable, Sendable {
    /// The EXIF orientation of the original, 1...8. Its images come upright.
    public var orientation = 1
    /// Who made the camera.
    public var cameraMake: String?
    /// The camera.
    public var cameraModel: String?
    /// The lens.
    public var lensModel: String?
    /// The focal length in millimetres.
    public var focalLength: Double?
    /// The focal length of the same angle of view on 35 mm film, in millimetres.
    public var focalLengthIn35mmFilm: Double?
    /// The f-number.
    public var aperture: Double?
    /// For how long the picture was exposed, in seconds.
    public var exposureTime: Double?
    /// The sensitivity by ISO 12232.
    public var isoSpeed: Double?
    /// The exposure compensation in stops.
    public var exposureBias: Double?
    /// The distance of the subject in metres; 4294967295 is infinity.
    public var subjectDistance: Double?
    /// EXIF's flash byte; bit 0: it fired.
    public var flash: Int?
    /// Whether the white balance was set by hand.
    public var hasManualWhiteBalance: Bool?
    /// The original is a camera's RAW file.
    public var isRAW = false
    /// The picture is made of, or for, a high dynamic range.
    public var isHDR = false
    /// The picture shows a screen.
    public var isScreenshot = false

    /// Nothing is known.
    public init() {}

    /// Copies what the host says; nothing is known where that is of no version of the contract.
    init(_ pointer: UnsafePointer<ee_capture>?) {
        guard let pointer,
            let capture = growingStructure(
                at: pointer, as: ee_capture.self, minimum: Int(EE_CAPTURE_SIZE_1_0))
        else { return }
        func known(_ number: Double) -> Double? { number.isFinite ? number : nil }
        orientation = Int(capture.orientation)
        cameraMake = String(optional: capture.camera_make)
        cameraModel = String(optional: capture.camera_model)
        lensModel = String(optional: capture.lens_model)
        focalLength = known(capture.focal_length)
        focalLengthIn35mmFilm = known(capture.focal_length_35mm)
        aperture = known(capture.aperture)
        exposureTime = known(capture.exposure_time)
        isoSpeed = known(capture.iso_speed)
        exposureBias = known(capture.exposure_bias)
        subjectDistance = known(capture.subject_distance)
        flash = capture.flash < 0 ? nil : Int(capture.flash)
        hasManualWhiteBalance = capture.white_balance < 0 ? nil : capture.white_balance == 1
        isRAW = capture.is_raw
        isHDR = capture.is_hdr
        isScreenshot = capture.is_screenshot
    }
}
