// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A request of a host to a runner. Each request gets exactly one answer, a reply with its number.
///
/// Requests are carried out in sequence. The exceptions are `shouldConfirmCancel` and `cancel`, which are answered
/// immediately, even while another request is in flight.
package enum RunnerRequest: Codable, Hashable, Sendable {
    /// Loads an extension from the descriptor `library` (sealed memory whose hash the host has verified). `files`
    /// are the other files that its manifest hashes. Answer: `loaded`.
    case load(LoadedExtension)

    /// Returns the manifest that a library generates from its code, as text. The library was loaded with
    /// `isUnknown`. Answer: `manifest`.
    case describe(extensionIdentifier: String)

    /// Runs a one-shot job. Answer: `rendered`. For raw output, `outputNeeded` comes first. If a step's output is a
    /// file, the answer is `fileWritten`; the host must take and verify the file, and continue from it.
    case run(RenderJob)

    /// Creates a controller of a loaded extension. Answer: `done`.
    case open(extensionIdentifier: String)
    /// Calls the controller's `canHandle`. Answer: `answer`.
    case canHandle(AdjustmentData)
    /// Starts the controller's edit. Answer: `parameters`.
    case start(SessionStart)
    /// Changes parameters, given as a JSON object. The files that its values name are in the descriptor
    /// `parameterFiles`. Answer: `parameters`, the values after the change.
    case setParameters(Data, files: [PackedFile] = [])
    /// Renders the current edit to `output`. Answer: `rendered`. For raw output, `outputNeeded` comes first.
    case preview(RenderOutput, PreviewView = PreviewView())
    /// Supplies the full-size input as `base`, for an edit that was started with a reduced one: once, before
    /// `finish` and before a preview that needs it. Descriptors: `base` and `profile`, as for `start`. Answer:
    /// `done`.
    case supplyFullSize(RenderInput.Base)
    /// Finishes the edit. Answer: `finished`.
    case finish
    /// Renders the finished edit to `output`. May be repeated for another output. Answer: `rendered`. For raw
    /// output, `outputNeeded` comes first.
    case render(RenderOutput)
    /// Supplies the descriptor `output` requested by `outputNeeded`, and `profile`, to which the runner writes the
    /// original's profile if the pixels use it. Answer: `rendered`.
    case takeOutput
    /// Copies the file reported by the last `run` or `finish` to the descriptor `output`. Answer: `done`.
    case takeFile
    /// Returns whether the user should confirm a cancel. Answer: `answer`.
    case shouldConfirmCancel
    /// Cancels the edit, at any time after `start`. Answer: `done`. A request in flight fails with `cancelled`.
    case cancel
    /// Destroys the controller. Answer: `done`.
    case close

    /// Reads the XMP files `sidecar` and `secondSidecar`. Answer: `sidecars`.
    case readSidecars

    /// Returns the part of a video that each step keeps, given the timing of the input. Answer: `kept`.
    case narrow([RenderStep], FrameTiming)
    /// Prepares to run steps over the frames of a video. The base is its first frame, in memory of its own. Answer:
    /// `done`.
    case openFrames(RenderInput)
    /// Runs the steps over one frame, in order of time: `reusedBase`, and `reusedOutput` if its layout is known.
    /// Answer: `rendered`, or `outputNeeded` first.
    case processFrame(FrameJob)
    /// Returns for each extension whether it produces frames of its own. Answer: `answers`.
    case makesFrames([String])
    /// Puts a frame to the only step, which produces frames of its own: `reusedBase`; nil ends the video. Answer:
    /// `done`.
    case putFrame(FrameJob?)
    /// Takes a frame that the step has produced: `reusedOutput` if its layout is known. Answer: `rendered` with its
    /// moment, or `outputNeeded` first. `frame` with nil means that none is ready until another is put.
    case takeFrame(RawLayout?)
    /// Finishes and destroys the controllers after the last frame. Answer: `done`.
    case closeFrames

    /// Opens the video `base` at its start, with frames reduced to a height in pixels. Answer: `videoOpened`.
    case openVideo(height: Int?)
    /// Seeks to the frame shown at a time, in seconds from the first; `readFrame` returns it next. Answer: `done`.
    case skipTo(Double)
    /// Decodes the next frame to `reusedOutput`. Answer: `frame`; nil at the end of the video.
    case readFrame
    /// Decodes up to a number of frames without keeping them. Answer: `decoded`; fewer frames at the end of the
    /// video.
    case decodeFrames(limit: Int)
    /// Starts writing a video to the file `videoOutput`. Sound, chapters and metadata come from the video `base`.
    /// Answer: `done`.
    case beginVideo(VideoWriting)
    /// Encodes a frame, whose pixels are in `reusedBase`. Answer: `done`.
    case writeFrame(FrameTime, RawLayout)
    /// Ends the video at a timestamp; nil means at the end of the last frame. Answer: `done` if a frame that the
    /// encoder had buffered was written, and this must be repeated; otherwise `rendered`.
    case endVideo(at: Int64?)
    /// Copies the video `base` to the file `videoOutput` without decoding it. Answer: `copied`; nil if it has to be
    /// encoded.
    case copyVideo(VideoCopying)
    /// Returns the parts of the video `base` that are lost if it is written in a format. Answer: `losses`.
    case foreseeLosses(MediaFormat)
}

/// A request with the roles of the descriptors that are sent with it, in order.
package struct RequestEnvelope: Codable, Hashable, Sendable {
    /// The roles of the descriptors, without a leading `inbox`.
    package var descriptors: [DescriptorRole]
    /// The request of the envelope.
    package var request: RunnerRequest

    /// Creates an envelope from its properties.
    package init(descriptors: [DescriptorRole], request: RunnerRequest) {
        self.descriptors = descriptors
        self.request = request
    }
}

/// The content of a packet that reports progress in rows: the number of rows written, in 4 bytes, little endian.
package enum RowCount {
    /// The value that announces that no more rows will be written.
    package static let none = UInt32.max
}

/// The role of a file descriptor that is sent with a request.
package enum DescriptorRole: String, Codable, Hashable, Sendable {
    /// The base picture, read-only.
    case base
    /// Replaces `base`: raw pixels, read-only, in recycled memory of a fixed size.
    case reusedBase
    /// Replaces `reusedBase` for pixels that an extension wrote, and may still change: each is read once, as a
    /// copy.
    case changingBase
    /// A socket that reports the number of available rows, with raw pixels as a base that is still being written.
    case arrivingRows
    /// The original, read-only, whose metadata and profile the encoder copies.
    case metadataSource
    /// The original, read-only, for extensions with access to it.
    case original
    /// An XMP sidecar of the base, read-only, for values that the base lacks.
    case sidecar
    /// Another XMP sidecar, read-only, for values that base and first sidecar lack.
    case secondSidecar
    /// The original's RGB profile. With raw pixels, read-only, for a runner without access to the original. With
    /// `takeOutput`, an empty file to which the runner writes it.
    case profile
    /// With `run`, for raw pixels: an empty file to which the runner writes the original's RGB profile before it
    /// answers.
    case writtenProfile
    /// A picture of the current version, read-only.
    case placeholder
    /// A socket that reports the number of available rows, with raw pixels as the placeholder in recycled memory of
    /// a fixed size. They are written on demand.
    case placeholderRows
    /// An extension's library, in sealed memory.
    case library
    /// The bytes of an extension's files, in sealed memory.
    case files
    /// The bytes of files named by parameters, in sealed memory.
    case parameterFiles
    /// The file for the output, writable and empty.
    case output
    /// The file for the uncompressed pixels of a rendered picture, writable and empty.
    case pixels
    /// Replaces `output` for raw pixels: recycled memory of a fixed size.
    case reusedOutput
    /// With `reusedOutput`: a socket by which the runner reports the number of rows written. A runner without
    /// extensions accepts other requests meanwhile.
    case writtenRows
    /// The file to which a video is written, writable and empty.
    case videoOutput
    /// The file for a reply that is too large for a packet, writable and empty.
    case outbox
    /// The request itself if it is too large for a packet, read-only. Always the first descriptor.
    case inbox
}

/// The description of an extension to be loaded by a runner.
package struct LoadedExtension: Codable, Hashable, Sendable {
    /// The expected identifier; must equal the library's.
    package var identifier: String
    /// The expected version; must equal the library's.
    package var version: String
    /// The pixel formats that the extension accepts.
    package var pixelFormats: [PixelFormat]
    /// The allowed pixel access.
    package var access: PixelAccess

    /// Whether identifier and version are not verified, because the library is loaded to generate its manifest. Nil
    /// means no.
    package var isUnknown: Bool?

    /// The positions of its files in the descriptor `files`. Nil means none.
    package var files: [PackedFile]?

    /// Creates a description from a manifest.
    package init(_ manifest: ExtensionManifest, files: [PackedFile] = []) {
        self.files = files
        identifier = manifest.identifier
        version = manifest.version
        pixelFormats = manifest.pixelFormats
        access = manifest.access
    }
}

/// The position of a file in memory that contains several.
package struct PackedFile: Codable, Hashable, Sendable {
    /// The name by which the file is requested: its name in the extension's folder, or "sha256:" and its hash.
    package var name: String
    /// The offset of the file in bytes.
    package var offset: Int
    /// The length of the file in bytes.
    package var count: Int

    /// Creates a description from its properties.
    package init(name: String, offset: Int, count: Int) {
        (self.name, self.offset, self.count) = (name, offset, count)
    }
}

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
    /// Whether previews are rendered before `finish`. The extension gets no full-size image before then.
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
