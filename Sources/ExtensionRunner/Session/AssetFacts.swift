// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The facts about an asset that an extension receives besides the pixels.
struct AssetFacts: Sendable {
    var mediaType = MediaType.image
    var mediaSubtypes: MediaSubtype = []
    var creationDate: String?
    var location: Location?
    var capture = CaptureFacts()
    var contentType = "image/jpeg"
    var renderedContentType = "image/jpeg"
    /// The video frame that the pixels belong to; `nil` for a photo.
    var moment: FrameIdentity?
    /// The video of a Live Photo that the frames belong to; `nil` if they belong to none.
    var livePhoto: LivePhotoVideo?
    /// The file of the original; `nil` if the extension has no access to it.
    var original: OriginalFile?
    /// The maximum length of the longer side of display images, in pixels.
    var displaySize = SessionStart.displaySize

    /// Whether the original is a camera RAW file.
    var isRaw: Bool { [MediaFormat.dng, .raw].contains { $0.contentType == contentType } }

    /// Creates the facts from the start of a session.
    init(_ start: SessionStart) {
        mediaType = start.mediaType
        mediaSubtypes = start.mediaSubtypes
        creationDate = start.creationDate
        location = start.location
        capture = start.capture
        contentType = start.contentType
        renderedContentType = start.renderedContentType
        moment = start.input.moment
        displaySize = min(SessionStart.displaySize, max(16, start.displaySize))
    }

    /// Creates the facts from those that the host sent for a job, otherwise from the original.
    init(_ input: RenderInput, _ original: MetadataSource?) {
        if let facts = input.originalFacts {
            take(facts)
        } else if let original, let decoder = try? Decoder(bytes: original.bytes) {
            take(FactsReader(decoder, header: original.image).facts)
        }
        if let type = input.renderedContentType { renderedContentType = type }
        moment = input.moment
        livePhoto = input.livePhoto
        if moment != nil { mediaType = .video }
    }

    private mutating func take(_ facts: PhotoFacts) {
        mediaSubtypes = facts.mediaSubtypes
        creationDate = facts.creationDate?.text
        location = facts.location
        capture = CaptureFacts(facts)
        contentType = facts.format.contentType
        renderedContentType = contentType
    }
}
