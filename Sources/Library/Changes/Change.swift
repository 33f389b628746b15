// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One committed change block: an entry of the library's history.
public struct Change: Hashable, Sendable {
    /// One asset or collection that the change concerned.
    public struct Item: Hashable, Sendable {
        /// What happened to it.
        public let kind: Kind
        /// Whether it is an asset or a collection.
        public let objectType: ObjectType
        /// Its identifier.
        public let identifier: String
        /// Whether the pixels of an asset changed, or the members of a collection.
        public let isContentChange: Bool
        /// Whether something else of it changed.
        public let isMetadataChange: Bool
    }

    /// What happened to an object.
    public enum Kind: String, Hashable, Sendable {
        /// It is new.
        case inserted
        /// It changed.
        case updated
        /// It is gone.
        case removed
    }

    /// What can change.
    public enum ObjectType: String, Hashable, Sendable {
        /// An asset.
        case asset
        /// An album or folder.
        case collection
    }

    /// The place in history after this change.
    public let token: ChangeToken
    /// When it was committed.
    public let date: Date
    /// What it concerned, each object once.
    public let items: [Item]
}
