// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A still picture with what moved and sounded around it, ready to be shown: neither an asset of a library nor its files.
///
/// Copies share pixels and file. It can be used from any thread.
public struct LivePhoto: Sendable {
    /// The still, upright, as large as it was asked for.
    public let image: AssetImage
    /// The motion with its sound, whose decoding is left to whoever plays it; nil in a temporary result.
    public let video: AssetVideo?

    /// The size of the still, in pixels.
    public var size: PixelSize { image.size }
    /// How long the motion is, in seconds; 0 in a temporary result.
    public var duration: Double { video?.duration ?? 0 }

    init(_ image: AssetImage, _ video: AssetVideo?) {
        self.image = image
        self.video = video
    }
}

/// Gets a Live Photo, or what the info says of why there is none.
public typealias LivePhotoResultHandler = @Sendable (LivePhoto?, ImageRequestInfo) -> Void

/// The number of a request for a Live Photo; never given twice by one process.
public typealias LivePhotoRequestID = ImageRequestID

/// How a Live Photo of a library is asked for. The defaults are PhotoKit's.
public struct LivePhotoRequestOptions: Sendable {
    /// Which version of the asset.
    public var version = ImageRequestOptionsVersion.current
    /// Whether a still may come before the Live Photo, marked as degraded.
    public var deliveryMode = ImageRequestOptionsDeliveryMode.opportunistic
    /// Whether originals that are away may be fetched over a network. This version fetches none.
    public var isNetworkAccessAllowed = false
    /// Told how far a download is. Not called for what is on this computer.
    public var progressHandler: AssetImageProgressHandler?

    /// Makes the options that hold where none are given.
    public init() {}
}
