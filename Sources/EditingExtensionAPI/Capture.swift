// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// The capture settings of a photo, from the EXIF metadata of its original. A property is nil if the file does
/// not record it.
///
/// The values do not change when an edit is re-rendered.
public struct Capture: Hashable, Sendable {
    /// The EXIF orientation of the original, 1...8. For information only: the input's images are already upright.
    public var orientation = 1
    /// The manufacturer of the camera, EXIF `Make`.
    public var cameraMake: String?
    /// The model name of the camera, EXIF `Model`.
    public var cameraModel: String?
    /// The model name of the lens, EXIF `LensModel`.
    public var lensModel: String?
    /// The focal length in millimetres.
    public var focalLength: Double?
    /// The focal length of the same angle of view on 35 mm film, in millimetres.
    public var focalLengthIn35mmFilm: Double?
    /// The f-number.
    public var aperture: Double?
    /// The exposure time in seconds.
    public var exposureTime: Double?
    /// The sensitivity as defined by ISO 12232.
    public var isoSpeed: Double?
    /// The exposure compensation in stops.
    public var exposureBias: Double?
    /// The distance of the subject in metres; 4294967295 means infinity.
    public var subjectDistance: Double?
    /// The EXIF `Flash` byte. Bit 0 is set if the flash fired.
    public var flash: Int?
    /// True if the white balance was set manually.
    public var hasManualWhiteBalance: Bool?
    /// True if the original is a camera RAW file.
    public var isRAW = false
    /// True if the photo is an HDR picture, or was taken as part of one.
    public var isHDR = false
    /// True if the picture is a screenshot.
    public var isScreenshot = false

    /// Creates capture settings without any values.
    public init() {}

    /// Copies the host's structure. Nothing is known if its size matches no version of the contract.
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
