// SPDX-License-Identifier: Apache-2.0

/// Where assets come from. The raw values are those of PhotoKit's `PHAssetSourceType`.
public struct AssetSourceType: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The user's own library.
    public static let userLibrary = AssetSourceType(rawValue: 1 << 0)
    /// An album shared by somebody else.
    public static let cloudShared = AssetSourceType(rawValue: 1 << 1)
    /// Synced from another device.
    public static let syncedFromDevice = AssetSourceType(rawValue: 1 << 2)

    /// PhotoKit's name of ``userLibrary``.
    public static let typeUserLibrary = AssetSourceType.userLibrary
    /// PhotoKit's name of ``cloudShared``.
    public static let typeCloudShared = AssetSourceType.cloudShared
    /// PhotoKit's name of ``syncedFromDevice``.
    public static let typeiTunesSynced = AssetSourceType.syncedFromDevice
}

extension Asset {
    /// How an asset is shown. The raw values are those of PhotoKit's `PHAsset.PlaybackStyle`.
    public enum PlaybackStyle: Int, Hashable, Sendable, CaseIterable {
        /// In no way that is known, as a sound.
        case unsupported = 0
        /// As a still picture.
        case image = 1
        /// As an animated picture.
        case imageAnimated = 2
        /// As a Live Photo: a still picture that moves when it is touched.
        case livePhoto = 3
        /// As a video.
        case video = 4
        /// As a video in a loop.
        case videoLooping = 5
    }

    /// How its current version is shown. This version of the library edits stills only: what moved
    /// is a still picture once it is edited, until it is reverted.
    public var playbackStyle: PlaybackStyle {
        switch mediaType {
        case .video: return .video
        case .audio, .unknown: return .unsupported
        case .image:
            if hasAdjustments { return .image }
            if mediaSubtypes.contains(.photoLive) { return .livePhoto }
            return mediaSubtypes.contains(.animated) ? .imageAnimated : .image
        }
    }
}

/// Why a picture of a burst is shown. The raw values are those of PhotoKit's
/// `PHAssetBurstSelectionType`.
public struct AssetBurstSelectionType: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Chosen by the program.
    public static let autoPick = AssetBurstSelectionType(rawValue: 1 << 0)
    /// Chosen by the user.
    public static let userPick = AssetBurstSelectionType(rawValue: 1 << 1)
}
