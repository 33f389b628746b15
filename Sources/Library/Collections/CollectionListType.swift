// SPDX-License-Identifier: Apache-2.0

/// A kind of collection list. The raw values are those of PhotoKit's `PHCollectionListType`; its
/// other kinds do not exist in a library.
public enum CollectionListType: Int, Hashable, Sendable, CaseIterable {
    /// A folder of albums and folders.
    case folder = 2
}
