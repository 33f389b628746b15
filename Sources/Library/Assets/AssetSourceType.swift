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
