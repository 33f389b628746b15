// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What a file is to say of a photograph in place of what its original says.
///
/// Where the original says the same already, nothing of it is touched.
package struct MetadataChanges: Codable, Hashable, Sendable {
    /// What becomes of one fact; nil in place of it: what the original says stays.
    package enum Change<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// It is this.
        case set(Value)
        /// Nothing is said of it.
        case remove
    }

    /// When it was taken.
    package var captureDate: Change<CaptureDate>?
    /// Where it was taken.
    package var location: Change<Location>?
    /// The stars, -1...5.
    package var rating: Change<Int>?
    /// The keywords, all of them; empty: none. Nil: what the original says stays.
    package var keywords: [String]?
    /// The title.
    package var title: Change<String>?
    /// The description, with line feeds between its lines.
    package var descriptionText: Change<String>?
    /// The label.
    package var label: Change<String>?

    /// The identifier by which the still and the video of a Live Photo are known to belong together, which is
    /// in a maker's note of Apple's: 1 to 256 characters of ASCII, usually a UUID. Only where the pixels are
    /// kept.
    package var contentIdentifier: Change<String>?
    /// Whether another maker's note gives way to Apple's for that. Nil: no, that is `otherMakerNote`.
    package var replacesMakerNote: Bool?
    /// The video of a Motion Photo: what a JPEG is to say of one that will be appended to it, in place of the
    /// video that it has; or that it is to have none, also of HEIC and AVIF. Only where the pixels are kept.
    package var motionVideo: Change<AppendedVideo>?

    /// No change.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool { self == MetadataChanges() }

    /// Whether something changes of what makes a photograph a Live Photo.
    package var isOfLivePhoto: Bool { contentIdentifier != nil || motionVideo != nil }
}
