// SPDX-License-Identifier: Apache-2.0

/// How a video is asked for. The defaults are PhotoKit's.
public struct VideoRequestOptions: Sendable {
    /// Which version of the asset.
    public var version = VideoRequestOptionsVersion.current
    /// Speed or quality. There is one file of each version, which is given whatever this says.
    public var deliveryMode = VideoRequestOptionsDeliveryMode.automatic
    /// Whether an original that is away may be fetched over a network. This version fetches none: a video
    /// that is away is told of by ``ImageRequestInfo/isInCloud``.
    public var isNetworkAccessAllowed = false
    /// Told how far a download is. Not called for what is on this computer.
    public var progressHandler: AssetImageProgressHandler?

    /// Makes the options that hold where none are given.
    public init() {}
}

/// Which version of a video. The raw values are those of PhotoKit's `PHVideoRequestOptionsVersion`.
public enum VideoRequestOptionsVersion: Int, Hashable, Sendable {
    /// With all edits.
    case current = 0
    /// As it was imported.
    case original = 1
}

/// Speed or quality. The raw values are those of PhotoKit's `PHVideoRequestOptionsDeliveryMode`.
public enum VideoRequestOptionsDeliveryMode: Int, Hashable, Sendable {
    /// Whatever suits.
    case automatic = 0
    /// The best.
    case highQualityFormat = 1
    /// One of moderate quality.
    case mediumQualityFormat = 2
    /// Whichever is there soonest.
    case fastFormat = 3
}
