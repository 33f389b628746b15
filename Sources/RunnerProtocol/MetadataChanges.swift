// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The metadata of a file that replaces its original's.
///
/// Values that the original already has are left untouched.
package struct MetadataChanges: Codable, Hashable, Sendable {
    /// The change of one value. A nil property keeps the original's value.
    package enum Change<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// Writes a value.
        case set(Value)
        /// Removes the value.
        case remove
    }

    /// The capture date.
    package var captureDate: Change<CaptureDate>?
    /// The capture location.
    package var location: Change<Location>?
    /// The star rating, -1...5.
    package var rating: Change<Int>?
    /// The complete list of keywords; empty means none. Nil keeps the original's.
    package var keywords: [String]?
    /// The title of the photo.
    package var title: Change<String>?
    /// The description, with line feeds between its lines.
    package var descriptionText: Change<String>?
    /// The creators, separated by semicolons.
    package var creator: Change<String>?
    /// The copyright notice, on one line.
    package var copyright: Change<String>?
    /// The colour label, `xmp:Label`.
    package var label: Change<String>?

    /// The identifier that links the still and the video of a Live Photo, stored in Apple's maker note: 1 to 256
    /// ASCII characters, usually a UUID. Only valid if the pixels are kept.
    package var contentIdentifier: Change<String>?
    /// Whether Apple's maker note may replace another maker note for that purpose. Nil means no: the request then fails
    /// with `otherMakerNote`.
    package var replacesMakerNote: Bool?
    /// The video of a Motion Photo. A JPEG is set to describe a video that will be appended, in place of the video
    /// it has. Removal also works for HEIC and AVIF. Only valid if the pixels are kept.
    package var motionVideo: Change<AppendedVideo>?

    /// Creates an empty set of changes.
    package init() {}

    /// Whether there are no changes.
    package var isEmpty: Bool { self == MetadataChanges() }

    /// The changes of the creator and the copyright only.
    package var copyrightChanges: MetadataChanges {
        var changes = MetadataChanges()
        (changes.creator, changes.copyright) = (creator, copyright)
        return changes
    }

    /// Whether there are changes to the metadata that makes a photo a Live Photo.
    package var isOfLivePhoto: Bool { contentIdentifier != nil || motionVideo != nil }
}
