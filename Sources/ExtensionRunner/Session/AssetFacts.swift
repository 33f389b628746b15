// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// What an extension is told of the asset besides its pixels.
struct AssetFacts: Sendable {
    var mediaType = MediaType.image
    var mediaSubtypes: MediaSubtype = []
    var creationDate: String?
    var location: Location?
    var capture = CaptureFacts()
    var contentType = "image/jpeg"
    var renderedContentType = "image/jpeg"
    /// Which frame of a video the pixels are; nil: a photograph.
    var moment: FrameMoment?
    /// Of the video of a Live Photo: which one that is; nil: it is none.
    var livePhoto: LivePhotoVideo?
    /// The original's file; nil: the extension may not have it.
    var original: OriginalFile?
    /// The longer side of display images, at most.
    var displaySize = SessionStart.displaySize

    /// Whether the original is a camera's RAW file.
    var isRaw: Bool { [MediaFormat.dng, .raw].contains { $0.contentType == contentType } }

    /// What a session was started with.
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

    /// What a job's host says, else what its original does.
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
