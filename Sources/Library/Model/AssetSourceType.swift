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
}
