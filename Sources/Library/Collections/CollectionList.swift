// SPDX-License-Identifier: Apache-2.0

/// A folder of albums and folders, as it was when it was fetched.
///
/// To alter one, make a ``CollectionListChangeRequest`` inside
/// ``PhotoLibrary/performChanges(_:)``.
public struct CollectionList: Hashable, Sendable, Identifiable {
    /// The identifier: unique in the library, and the same for ever. A lower-case UUID.
    public let localIdentifier: String
    /// The title. Several folders may have the same.
    public let title: String
    /// The identifier of the folder that it lies in; nil at the top.
    public let parentLocalIdentifier: String?
    /// Whether nothing of it is known but its identifier: it had been deleted when a
    /// ``FetchResult`` came to read it.
    public let isRemoved: Bool

    /// The row's number.
    let row: Int64

    /// The identifier again, for `Identifiable`.
    public var id: String { localIdentifier }
    /// Whether there can be assets in it: never.
    public var canContainAssets: Bool { false }
    /// Whether there can be collections in it: always.
    public var canContainCollections: Bool { true }
}
