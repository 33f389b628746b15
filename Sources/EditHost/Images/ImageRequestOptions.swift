// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// How a picture is asked for. The defaults are PhotoKit's.
public struct ImageRequestOptions: Sendable {
    /// Whether the request blocks the calling thread until it is done. Its handler is called once then, before
    /// the request returns, and the picture is the best one, whatever ``deliveryMode`` says.
    public var isSynchronous = false
    /// Which version of the asset.
    public var version = ImageRequestOptionsVersion.current
    /// Whether a quick picture may come before the right one, or in its place.
    public var deliveryMode = ImageRequestOptionsDeliveryMode.opportunistic
    /// How close the picture comes to the size that was asked for.
    public var resizeMode = ImageRequestOptionsResizeMode.fast
    /// The part of the picture that is wanted, before it is brought to its size; ``NormalizedRect/zero``:
    /// all of it. Any other needs the resize mode `exact`.
    public var normalizedCropRect = NormalizedRect.zero
    /// Whether an original that is away may be fetched over a network. This version fetches none: a picture
    /// whose original is away is told of by ``ImageRequestInfo/isInCloud``.
    public var isNetworkAccessAllowed = false
    /// Told how far a download is. Not called for what is on this computer.
    public var progressHandler: AssetImageProgressHandler?
    /// Whether the pixels keep the photograph's own colour profile and depth. Else pictures whose longer side
    /// is at most ``ImageManager/displaySize`` are sRGB of 8 bits.
    public var keepsColorProfile = false
    /// Whether transparent pixels are laid on white.
    public var isOpaque = false

    /// Makes the options that hold where none are given.
    public init() {}
}

/// Told how far a download is.
///
/// - Parameters:
///   - progress: from 0, at the start, to 1.
///   - error: why it cannot go on; nil while it can.
///   - stop: set to end it.
///   - info: the request; whether the picture that has been delivered is a temporary one.
public typealias AssetImageProgressHandler =
    @Sendable (
        _ progress: Double, _ error: (any Error)?, _ stop: inout Bool, _ info: ImageRequestInfo
    ) -> Void

/// Which version of an asset. The raw values are those of PhotoKit's `PHImageRequestOptionsVersion`.
public enum ImageRequestOptionsVersion: Int, Hashable, Sendable {
    /// With all edits.
    case current = 0
    /// As it was before any edit. Of a RAW and a JPEG of one photograph, the JPEG.
    case unadjusted = 1
    /// As it was imported, in its best form: of a RAW and a JPEG of one photograph, the RAW.
    case original = 2
}

/// Speed or quality. The raw values are those of PhotoKit's `PHImageRequestOptionsDeliveryMode`.
public enum ImageRequestOptionsDeliveryMode: Int, Hashable, Sendable {
    /// A quick picture if one is at hand, marked as degraded, and then the right one.
    case opportunistic = 0
    /// The right picture only, drawn from the photograph itself.
    case highQualityFormat = 1
    /// A quick picture only: marked as degraded where it is smaller than what was asked for.
    case fastFormat = 2
}

/// How close a picture comes to the size that was asked for. The raw values are those of PhotoKit's
/// `PHImageRequestOptionsResizeMode`.
public enum ImageRequestOptionsResizeMode: Int, Hashable, Sendable {
    /// The picture is as large as the version is.
    case none = 0
    /// The size or somewhat more, less than twice as much, whatever is quick to make.
    case fast = 1
    /// Exactly the size.
    case exact = 2
}

/// How a picture meets the box that was asked for. The raw values are those of PhotoKit's
/// `PHImageContentMode`.
public enum ImageContentMode: Int, Hashable, Sendable {
    /// It fits into the box, in its own proportions.
    case aspectFit = 0
    /// It covers the box, in its own proportions. Nothing is cut off.
    case aspectFill = 1

    /// ``aspectFit``.
    public static let `default` = ImageContentMode.aspectFit
}
