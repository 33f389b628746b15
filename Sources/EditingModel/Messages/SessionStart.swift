// SPDX-License-Identifier: Apache-2.0

/// What an editing session starts from: the state that the extension gets as its input, the
/// recipe to continue, and the facts about the asset that a `ContentEditingInput` carries.
///
/// Descriptors: `base`; `metadataSource` (the original) or `profile`; and `placeholder`, a picture
/// of the current state, where that is not the input state.
public struct SessionStart: Codable, Hashable, Sendable {
    /// The input state: previous where the extension can handle the recipe, else current.
    public var input: RenderInput
    /// The recipe to continue; nil where there is none or `canHandle` said no.
    public var adjustmentData: AdjustmentData?
    /// The size of the picture that the base is a reduction of: an edit for a preview only. Nil: the
    /// base is of full size.
    public var reducedFrom: PixelSize?
    /// What the placeholder's bytes are; nil: the input state is the current one.
    public var placeholder: RenderInput.Base?
    /// What the asset is.
    public var mediaType: MediaType
    /// Finer.
    public var mediaSubtypes: MediaSubtype
    /// RFC 3339; nil where the file has no date.
    public var creationDate: String?
    /// Where it was taken.
    public var location: Location?
    /// MIME type of the original.
    public var contentType: String
    /// MIME type of the rendition that will be stored.
    public var renderedContentType: String
    /// The longer side of the display image, at most, in pixels.
    public var displaySize: Int

    /// Makes a start; every argument is the property of its name.
    public init(
        input: RenderInput, adjustmentData: AdjustmentData?, reducedFrom: PixelSize? = nil,
        placeholder: RenderInput.Base?,
        mediaType: MediaType, mediaSubtypes: MediaSubtype, creationDate: String?,
        location: Location?, contentType: String, renderedContentType: String,
        displaySize: Int = 2048
    ) {
        self.input = input
        self.adjustmentData = adjustmentData
        self.reducedFrom = reducedFrom
        self.placeholder = placeholder
        self.mediaType = mediaType
        self.mediaSubtypes = mediaSubtypes
        self.creationDate = creationDate
        self.location = location
        self.contentType = contentType
        self.renderedContentType = renderedContentType
        self.displaySize = displaySize
    }
}
