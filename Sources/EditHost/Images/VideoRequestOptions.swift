// SPDX-License-Identifier: Apache-2.0

/// The options of a request for a video. The defaults are those of PhotoKit.
public struct VideoRequestOptions: Sendable {
    /// The requested version of the video.
    public var version = VideoRequestOptionsVersion.current
    /// The trade-off between speed and quality. It is ignored, because each version has only one file.
    public var deliveryMode = VideoRequestOptionsDeliveryMode.automatic
    /// True if a missing original may be downloaded. This version downloads nothing: a missing video is reported by
    /// ``ImageRequestInfo/isInCloud``.
    public var isNetworkAccessAllowed = false
    /// Notified of the progress of a download. It is not called for local files.
    public var progressHandler: AssetImageProgressHandler?

    /// Creates the default options.
    public init() {}
}
