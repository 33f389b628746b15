// SPDX-License-Identifier: Apache-2.0

/// What a library contains: numbers of assets, and sizes of files in bytes.
package struct LibrarySummary: Hashable, Sendable {
    /// The version of the library format.
    package let version: Int
    /// The number of photos, including hidden ones and all photos of bursts.
    package let photoCount: Int
    /// The number of videos, including hidden ones.
    package let videoCount: Int
    /// The number of assets hidden by the user.
    package let hiddenCount: Int
    /// The number of assets whose current version has edits.
    package let editedCount: Int
    /// The number of assets in the trash, which the other numbers do not include.
    package let trashedCount: Int
    /// The number of albums created by the user.
    package let albumCount: Int
    /// The number of originals that the library only references.
    package let referencedCount: Int
    /// The size of the stored originals and of the files imported with them.
    package let originalBytes: Int
    /// The size of the stored renditions.
    package let renditionBytes: Int
    /// The number of files that no asset uses, such as those of removed assets. `prune` removes them.
    package let unusedCount: Int
    /// The size of these files.
    package let unusedBytes: Int
    /// The position in the history of changes.
    package let token: ChangeToken
}
