// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A still picture with the motion and sound around it, ready to be displayed. Unlike an asset, it does not belong to a
/// library.
///
/// Copies share the pixels and the file. Can be used from any thread.
public struct LivePhoto: Sendable {
    /// The still, upright, at the requested size.
    public let image: AssetImage
    /// The motion with its sound, to be decoded by the player; nil in a degraded result.
    public let video: AssetVideo?

    /// The library files that it consists of; see `AssetResource.assetResources(for:)`.
    var resources: [AssetResource] = []

    /// The size of the still, in pixels.
    public var size: PixelSize { image.size }
    /// The duration of the motion in seconds; 0 in a degraded result.
    public var duration: Double { video?.duration ?? 0 }

    init(_ image: AssetImage, _ video: AssetVideo?, resources: [AssetResource] = []) {
        self.image = image
        self.video = video
        self.resources = resources
    }
}

/// Receives a Live Photo, or information about why there is none.
public typealias LivePhotoResultHandler = @Sendable (LivePhoto?, ImageRequestInfo) -> Void

/// The identifier of a request for a Live Photo, unique within the process.
public typealias LivePhotoRequestID = ImageRequestID
