// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The start of an editing session: the extension's input, the recipe to continue, and the facts about the asset
/// that a `ContentEditingInput` carries.
///
/// Descriptors: `base`; `metadataSource` (the original) or `profile`; `parameterFiles`, if there are any;
/// `placeholder`, a picture of the current version, if that is not the input state.
package struct SessionStart: Codable, Hashable, Sendable {
    /// The default of ``displaySize``: the maximum longer side of display images in pixels.
    package static let displaySize = 2048

    /// The input state: the previous one if the extension can continue the recipe, otherwise the current one.
    package var input: RenderInput
    /// The recipe to continue. Nil if there is none, or if `canHandle` returned false.
    package var adjustmentData: AdjustmentData?
    /// The size of the full picture of which the base is a reduction. It is sent with `supplyFullSize` before
    /// `finish`. Nil if the base has full size.
    package var reducedFrom: PixelSize?
    /// Whether previews are rendered before `finish`. If so, the extension gets no full-size image before `finish`.
    package var isInteractive: Bool
    /// The form of the placeholder's bytes. Nil if the input state is the current version.
    package var placeholder: RenderInput.Base?
    /// The media type of the asset.
    package var mediaType: MediaType
    /// The media subtypes of the asset.
    package var mediaSubtypes: MediaSubtype
    /// The capture date in RFC 3339, or nil if the file has none.
    package var creationDate: String?
    /// The capture location.
    package var location: Location?
    /// The capture settings.
    package var capture: CaptureFacts
    /// The MIME type of the original.
    package var contentType: String
    /// The MIME type of the rendition that will be stored.
    package var renderedContentType: String
    /// The maximum longer side of the display image in pixels.
    package var displaySize: Int
    /// Whether the host supplies the video of the input on demand, if the input is a video or a Live Photo.
    package var offersVideo = false

    /// Creates a start from its properties.
    package init(
        input: RenderInput, adjustmentData: AdjustmentData?, reducedFrom: PixelSize? = nil,
        isInteractive: Bool = false, placeholder: RenderInput.Base?,
        mediaType: MediaType, mediaSubtypes: MediaSubtype, creationDate: String?,
        location: Location?, capture: CaptureFacts = CaptureFacts(), contentType: String,
        renderedContentType: String,
        displaySize: Int = Self.displaySize
    ) {
        self.input = input
        self.adjustmentData = adjustmentData
        self.reducedFrom = reducedFrom
        self.isInteractive = isInteractive
        self.placeholder = placeholder
        self.mediaType = mediaType
        self.mediaSubtypes = mediaSubtypes
        self.creationDate = creationDate
        self.location = location
        self.capture = capture
        self.contentType = contentType
        self.renderedContentType = renderedContentType
        self.displaySize = displaySize
    }
}
