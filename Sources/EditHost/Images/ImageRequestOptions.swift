// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The options of a request for a picture. The defaults are those of PhotoKit.
public struct ImageRequestOptions: Sendable {
    /// True if the request blocks the calling thread until it is done. Its handler is then called once, before the
    /// request returns. The picture is the best one, and ``deliveryMode`` is ignored.
    public var isSynchronous = false
    /// The requested version of the asset.
    public var version = ImageRequestOptionsVersion.current
    /// The requested state or named version; `nil` for ``version``, which is otherwise ignored.
    public var state: AssetImageState?
    /// The delivery mode: a quick picture may precede or replace the final one, or neither.
    public var deliveryMode = ImageRequestOptionsDeliveryMode.opportunistic
    /// The precision of the picture's size.
    public var resizeMode = ImageRequestOptionsResizeMode.fast
    /// The requested part of the picture, before it is resized; ``NormalizedRect/zero`` for all of it. Any other
    /// value needs the resize mode `exact`.
    public var normalizedCropRect = NormalizedRect.zero
    /// True if a missing original may be downloaded. This version downloads nothing: a picture with a missing
    /// original is reported by ``ImageRequestInfo/isInCloud``.
    public var isNetworkAccessAllowed = false
    /// Notified of the progress of a download. It is not called for local files.
    public var progressHandler: AssetImageProgressHandler?
    /// True if the pixels keep the colour profile and depth of the photo. Otherwise pictures whose longer side
    /// is at most ``ImageManager/displaySize`` are 8-bit sRGB.
    public var keepsColorProfile = false
    /// True if transparent pixels are composited over white.
    public var isOpaque = false

    /// Creates the default options.
    public init() {}
}

/// Notified of the progress of a download.
///
/// - Parameters:
///   - progress: The finished fraction, from 0 to 1.
///   - error: The reason why the download cannot continue, or `nil` while it can.
///   - stop: Set to `true` to stop the download.
///   - info: The request, and whether the picture delivered so far is degraded.
public typealias AssetImageProgressHandler =
    @Sendable (
        _ progress: Double, _ error: (any Error)?, _ stop: inout Bool, _ info: ImageRequestInfo
    ) -> Void
