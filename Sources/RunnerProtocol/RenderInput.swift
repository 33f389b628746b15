// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A base picture and the steps that produce a state of an asset from it.
///
/// The base is sent as the descriptor of role `base`. If an encoded output keeps the metadata, the original is sent
/// as `metadataSource`.
package struct RenderInput: Codable, Hashable, Sendable {
    /// The form of the base's bytes.
    package enum Base: Codable, Hashable, Sendable {
        /// An encoded file of this format, as detected from its content.
        case encoded(MediaFormat)
        /// Uncompressed pixels in memory.
        case raw(UncompressedLayout)
    }

    /// The form of the base's bytes.
    package var base: Base
    /// The edit stack to run over the base, in order. The extensions must already be loaded.
    package var steps: [RenderStep]
    /// The facts about the original that are passed to the steps. Nil means that they are read from
    /// `metadataSource`.
    package var originalFacts: PhotoFacts?
    /// The profile of an encoded base without an embedded one. Nil means sRGB.
    package var assumedProfile: ColorProfile?
    /// The width of reduced raw pixels relative to the full-size picture's, greater than 0 and less than 1. It is
    /// passed to the steps. Nil means full size.
    package var baseScale: Double?
    /// The MIME type of the stored rendition, as passed to the steps when they were created. Nil means the
    /// original's type.
    package var renderedContentType: String?
    /// The positions in the descriptor `parameterFiles` of the files that the recipes name. Nil means none.
    package var files: [PackedFile]?
    /// The filename of the original, for extensions with access to the descriptor `original`. Nil if they have no
    /// access, or if the original is missing.
    package var originalFilename: String?

    /// The video frame that the base is. Nil for a photo.
    package var moment: FrameIdentity?
    /// The Live Photo whose video is edited. Nil for other media.
    package var livePhoto: LivePhotoVideo?
    /// For a video as the base: the requested frame, in seconds from the first. Nil means the first.
    package var time: Double?

    /// Whether an edit may have moved pixels of the original, in a step or before the base was rendered. Nil means
    /// no.
    package var movesPixels: Bool?

    /// Creates an input from its properties.
    package init(
        base: Base, steps: [RenderStep] = [], originalFacts: PhotoFacts? = nil,
        assumedProfile: ColorProfile? = nil, baseScale: Double? = nil,
        renderedContentType: String? = nil
    ) {
        self.base = base
        self.baseScale = baseScale
        self.assumedProfile = assumedProfile
        self.steps = steps
        self.originalFacts = originalFacts
        self.renderedContentType = renderedContentType
    }
}
