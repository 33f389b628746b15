// SPDX-License-Identifier: Apache-2.0

/// A specific kind of collection list. The raw values are those of PhotoKit's
/// `PHCollectionListSubtype`.
public enum CollectionListSubtype: Int, Hashable, Sendable, CaseIterable {
    /// A folder made by the user.
    case regularFolder = 100
    /// Any subtype.
    case any = 9_223_372_036_854_775_807
}
