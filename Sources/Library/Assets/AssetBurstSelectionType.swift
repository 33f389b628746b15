// SPDX-License-Identifier: Apache-2.0

/// The ways in which a picture was picked from its burst. The raw values are those of PhotoKit's
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
