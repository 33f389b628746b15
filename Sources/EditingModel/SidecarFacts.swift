// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The metadata in an XMP sidecar, or in a JSON file of Google Takeout.
package struct SidecarFacts: Codable, Hashable, Sendable {
    /// The capture date; `nil` if there is none.
    package var creationDate: CaptureDate?
    /// The location; `nil` if there is none.
    package var location: Location?
    /// The title, the description, the label, the rating, the keywords and the exposure time.
    package var metadata: PhotoMetadata
    /// The date of the last change to the metadata; `nil` if the sidecar does not state it.
    package var changeDate: Date?
    /// Why the file cannot be read completely, such as "it is empty"; `nil` if it is complete.
    package var problem: String?
    /// Whether the photo is a favourite; `nil` if the sidecar does not state it.
    package var isFavorite: Bool?
    /// The title of the album whose metadata the file contains; `nil` if it is not such a file.
    package var albumTitle: String?
    /// Whether the file was not read, so that the problem may not be its contents.
    package var isUnread = false
    /// Whether a list of keywords has some that were removed from the other lists, and that are not read.
    package var hasOutdatedKeywords = false

    /// Creates the metadata of a sidecar.
    package init(
        creationDate: CaptureDate? = nil, location: Location? = nil,
        metadata: PhotoMetadata = PhotoMetadata(), changeDate: Date? = nil, problem: String? = nil
    ) {
        self.creationDate = creationDate
        self.location = location
        self.metadata = metadata
        self.changeDate = changeDate
        self.problem = problem
    }
}
