// SPDX-License-Identifier: Apache-2.0

/// A property whose values the journal records, with its name in the database.
package enum JournalProperty: String, Hashable, Sendable {
    /// The existence of an object: 1 for an asset, the kind of a collection.
    case existence

    // MARK: - Assets

    /// The capture date in microseconds, a comma, and the stored offset of the clock in seconds.
    case captureDate
    /// The latitude and the longitude in degrees, separated by a comma.
    case location
    case isFavorite
    case isHidden
    case rating
    case title
    case description
    /// The creators; an empty text if they were removed.
    case creator
    /// The copyright notice; an empty text if it was removed.
    case copyright
    case label
    /// The folder of the imported file.
    case folder
    /// The date at which an asset was moved to the trash, in microseconds.
    case trashedDate
    /// The identifier of a burst.
    case burst
    /// Whether the user picked an asset from its burst.
    case burstPick
    /// Whether an asset represents its burst.
    case burstRepresentative
    /// One keyword, whose text is the item. The value is 1 if the asset has it.
    case keyword
    /// A state of the content; see ``JournalState``.
    case state

    // MARK: - Albums and folders

    /// The place of a collection: its rank and, after a comma, the identifier of its folder.
    case place
    /// The row ID of the asset that is the cover of an album.
    case cover
    /// The rank of an asset in an album. The item is the row ID of the asset.
    case member
}

extension JournalProperty: StoredRawValue {}
