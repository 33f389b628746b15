// SPDX-License-Identifier: Apache-2.0

/// An operation on a collection. The raw values are those of PhotoKit's
/// `PHCollectionEditOperation`.
public enum CollectionEditOperation: Int, Hashable, Sendable, CaseIterable {
    /// Deletes the contents: its assets from the library, or its albums and folders.
    case deleteContent = 1
    /// Removes members from the collection. They stay in the library.
    case removeContent = 2
    /// Adds existing objects of the library to the collection.
    case addContent = 3
    /// Creates new objects in the collection.
    case createContent = 4
    /// Reorders the members.
    case rearrangeContent = 5
    /// Deletes the collection itself.
    case delete = 6
    /// Changes the title.
    case rename = 7
}
