// SPDX-License-Identifier: Apache-2.0

/// The capture metadata of an original that is passed to extensions.
public struct CaptureFacts: Codable, Hashable, Sendable {
    /// The EXIF orientation of the file, 1...8.
    public var orientation = 1
    /// The camera manufacturer.
    public var cameraMake: String?
    /// The camera model.
    public var cameraModel: String?
    /// The lens model.
    public var lensModel: String?
    /// The exposure time in seconds, greater than 0.
    public var exposureTime: Double?
    /// The camera settings; `nil` if unknown.
    public var settings: CameraSettings?

    /// Creates facts without any metadata, with the default orientation 1.
    public init() {}

    /// Creates the capture facts of a decoded file.
    public init(_ facts: PhotoFacts) {
        orientation = facts.orientation
        cameraMake = facts.metadata?.cameraMake
        cameraModel = facts.metadata?.cameraModel
        lensModel = facts.metadata?.lensModel
        exposureTime = facts.metadata?.exposureTime
        settings = facts.metadata?.settings
    }
}
