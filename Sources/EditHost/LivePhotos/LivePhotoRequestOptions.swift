// SPDX-License-Identifier: Apache-2.0

/// Options for a request for a Live Photo of a library. The defaults are PhotoKit's.
public struct LivePhotoRequestOptions: Sendable {
    /// The version of the asset to return.
    public var version = ImageRequestOptionsVersion.current
    /// The delivery mode: whether a still, marked as degraded, may be delivered before the Live Photo.
    public var deliveryMode = ImageRequestOptionsDeliveryMode.opportunistic
    /// True if originals that are offline may be downloaded. This version never downloads.
    public var isNetworkAccessAllowed = false
    /// Receives the progress of a download. Not called for local files.
    public var progressHandler: AssetImageProgressHandler?

    /// Creates the default options.
    public init() {}
}
