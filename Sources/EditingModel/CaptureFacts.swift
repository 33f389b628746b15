// SPDX-License-Identifier: Apache-2.0

/// How a photograph was taken, as its original's file says: what an extension is told of that.
public struct CaptureFacts: Codable, Hashable, Sendable {
    /// The EXIF orientation that the file carries, 1...8.
    public var orientation = 1
    /// Who made the camera.
    public var cameraMake: String?
    /// The camera.
    public var cameraModel: String?
    /// The lens.
    public var lensModel: String?
    /// For how long the picture was exposed, in seconds; more than 0.
    public var exposureTime: Double?
    /// How the camera was set.
    public var settings: CameraSettings?

    /// Nothing is known.
    public init() {}

    /// What a file's facts say of it.
    public init(_ facts: PhotoFacts) {
        orientation = facts.orientation
        cameraMake = facts.metadata?.cameraMake
        cameraModel = facts.metadata?.cameraModel
        lensModel = facts.metadata?.lensModel
        exposureTime = facts.metadata?.exposureTime
        settings = facts.metadata?.settings
    }
}
