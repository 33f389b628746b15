// SPDX-License-Identifier: Apache-2.0

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
