// SPDX-License-Identifier: Apache-2.0

/// The source of an asset. The raw values are those of PhotoKit's `PHAssetSourceType`.
public struct AssetSourceType: OptionSet, Hashable, Sendable {
    /// The bit mask of the set.
    public let rawValue: Int

    /// Creates a set from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Imported into the user's own library.
    public static let userLibrary = AssetSourceType(rawValue: 1 << 0)
    /// From an album shared by another user.
    public static let cloudShared = AssetSourceType(rawValue: 1 << 1)
    /// Synced from another device.
    public static let syncedFromDevice = AssetSourceType(rawValue: 1 << 2)

    /// PhotoKit's name for ``userLibrary``.
    public static let typeUserLibrary = AssetSourceType.userLibrary
    /// PhotoKit's name for ``cloudShared``.
    public static let typeCloudShared = AssetSourceType.cloudShared
    /// PhotoKit's name for ``syncedFromDevice``.
    public static let typeiTunesSynced = AssetSourceType.syncedFromDevice
}

extension Asset {
    /// The presentation of an asset. The raw values are those of PhotoKit's
    /// `PHAsset.PlaybackStyle`.
    public enum PlaybackStyle: Int, Hashable, Sendable, CaseIterable {
        /// No supported presentation, as for audio.
        case unsupported = 0
        /// A still picture.
        case image = 1
        /// An animated picture.
        case imageAnimated = 2
        /// A Live Photo: a still picture with a short video, played on touch.
        case livePhoto = 3
        /// A video, played once.
        case video = 4
        /// A video, played in a loop.
        case videoLooping = 5
    }

    /// The presentation of the current version. An edited animation or Live Photo is presented as a
    /// still picture until it is reverted.
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

/// How a picture was picked from its burst. The raw values are those of PhotoKit's
/// `PHAssetBurstSelectionType`.
public struct AssetBurstSelectionType: OptionSet, Hashable, Sendable {
    /// The bit mask of the set.
    public let rawValue: Int

    /// Creates a set from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Picked automatically by a program.
    public static let autoPick = AssetBurstSelectionType(rawValue: 1 << 0)
    /// Picked by the user.
    public static let userPick = AssetBurstSelectionType(rawValue: 1 << 1)
}
