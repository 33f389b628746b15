// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The one kind of pixel work: probing a new file, a thumbnail, an export, a re-render.
///
/// The pixels come from ``input``, the steps run over them un-encoded in one pipeline, and
/// they are encoded, or handed on raw, once.
package struct RenderJob: Codable, Hashable, Sendable {
    /// Where the pixels come from.
    package var input: RenderInput
    /// What is wanted of them.
    package var output: RenderOutput

    /// Makes a job.
    package init(input: RenderInput, output: RenderOutput) {
        self.input = input
        self.output = output
    }
}

/// A base picture and the steps that make a state of an asset from it.
///
/// The base comes with the message as the descriptor of role `base`; where its metadata is to
/// survive an encoding, the original comes as `metadataSource`.
package struct RenderInput: Codable, Hashable, Sendable {
    /// What the base's bytes are.
    package enum Base: Codable, Hashable, Sendable {
        /// An encoded file of this format, told from its content.
        case encoded(MediaFormat)
        /// Pixels as they lie in memory.
        case raw(RawLayout)
    }

    /// What the base's bytes are.
    package var base: Base
    /// What is run over the base, in this order. Each extension has been loaded before.
    package var steps: [RenderStep]
    /// What the steps are told of the original; nil: it is read from `metadataSource`.
    package var originalFacts: PhotoFacts?
    /// The profile of an encoded base that has none; nil: sRGB, as usual.
    package var assumedProfile: ColorProfile?
    /// The width of raw pixels relative to that of the picture that they are a reduction of, which
    /// the steps are told: more than 0, and less than 1. Nil: they are of full size.
    package var baseScale: Double?
    /// The MIME type of the rendition that will be stored, as the steps were told when they were made;
    /// nil: that of the original.
    package var renderedContentType: String?
    /// Where the files that the recipes name lie in the descriptor `parameterFiles`; nil: there are none.
    package var files: [PackedFile]?
    /// The name of the original, for extensions that may read it, in the descriptor `original`; nil: they
    /// may not, or it is not there.
    package var originalFilename: String?

    /// Of a video: which frame the base is. Nil: a photograph.
    package var moment: FrameMoment?
    /// Of the video of a Live Photo: which one that is. Nil: it is none.
    package var livePhoto: LivePhotoVideo?
    /// Of a video that is the base: which frame is wanted, in seconds from the first. Nil: the first.
    package var time: Double?

    /// Whether an edit may have moved pixels of the original, by one of the steps or before the base was made.
    /// Nil: no.
    package var movesPixels: Bool?

    /// Makes an input.
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

/// One edit that is run again from its recipe.
package struct RenderStep: Codable, Hashable, Sendable {
    /// The identifier of the extension, loaded before.
    package var extensionIdentifier: String
    /// The recipe.
    package var adjustmentData: AdjustmentData

    /// Makes a step.
    package init(extensionIdentifier: String, adjustmentData: AdjustmentData) {
        self.extensionIdentifier = extensionIdentifier
        self.adjustmentData = adjustmentData
    }
}

/// What is wanted of the pixels of a `RenderJob` or of a finished edit.
package enum RenderOutput: Codable, Hashable, Sendable {
    /// Decode every pixel and say what the picture is; write nothing.
    case facts
    /// A file, written into the descriptor of role `output`.
    case encoded(EncodeSettings)
    /// Uncompressed pixels. The runner answers `outputNeeded` with their layout, the host sends
    /// `takeOutput` with a descriptor of that size, the pixels follow.
    case raw
    /// The same, fitted into a square of this side, in pixels; a smaller picture stays as it is.
    case reducedRaw(longerSide: Int)
    /// For somebody who looks at it: pixels as for `raw`, a file as for `encoded`, or both.
    case image(ImageDrawing)
    /// How sharp and well exposed the base is; nothing is written.
    case quality
}
