// SPDX-License-Identifier: Apache-2.0

/// An immutable snapshot of a folder of albums and folders.
///
/// To change a folder, create a ``CollectionListChangeRequest`` inside
/// ``PhotoLibrary/performChanges(_:)``.
public struct CollectionList: Hashable, Sendable, Identifiable {
    /// The identifier, a lower-case UUID. It is unique in the library and never changes.
    public let localIdentifier: String
    /// The title, which is not necessarily unique.
    public let title: String
    /// The identifier of the folder that contains this one, or nil at the top level.
    public let parentLocalIdentifier: String?
    /// True if only the identifier is valid, because the folder was deleted before a
    /// ``FetchResult`` read it.
    public let isRemoved: Bool

    let row: Int64

    /// The local identifier, for `Identifiable`.
    public var id: String { localIdentifier }
    /// True if the folder can contain assets: always false.
    public var canContainAssets: Bool { false }
    /// True if the folder can contain collections: always true.
    public var canContainCollections: Bool { true }
}
