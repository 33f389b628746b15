// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// What a host asks of a runner. Requests are answered once each, by a reply with their number.
///
/// All are carried out one after the other, but `shouldConfirmCancel` and `cancel`, which are
/// answered at once, also while another is being carried out.
package enum RunnerRequest: Codable, Hashable, Sendable {
    /// Load an extension from the descriptor `library` (sealed memory whose hash the host has
    /// checked); `files` is what its manifest hashes beside. Answer: `loaded`.
    case load(LoadedExtension)

    /// The manifest that a library makes of its code, as text; it was loaded with `isUnknown`. Answer:
    /// `manifest`.
    case describe(extensionIdentifier: String)

    /// Do a one-shot job. Answer: `rendered`, or `outputNeeded` first for raw output, or
    /// `fileWritten` where a step's output is a file, which the host must take, verify and continue
    /// from.
    case run(RenderJob)

    /// Create a controller of a loaded extension. Answer: `done`.
    case open(extensionIdentifier: String)
    /// Ask the controller. Answer: `answer`.
    case canHandle(AdjustmentData)
    /// Start the controller's edit. Answer: `parameters`.
    case start(SessionStart)
    /// Change parameters: a JSON object; the files that its values name lie in the descriptor
    /// `parameterFiles`. Answer: `parameters`, the values after the change.
    case setParameters(Data, files: [PackedFile] = [])
    /// Render the edit as it stands into `output`. Answer: `rendered`, or `outputNeeded` first for raw
    /// output.
    case preview(RenderOutput, PreviewView = PreviewView())
    /// The input at full size, as `base`, for an edit that was started with a reduced one: once,
    /// before `finish` and before a preview that needs it. Descriptors: `base` and `profile`, as for `start`. Answer: `done`.
    case supplyFullSize(RenderInput.Base)
    /// Finish the edit. Answer: `finished`.
    case finish
    /// Pull the pixels of the finished edit into `output`; again for another output.
    /// Answer: `rendered`, or `outputNeeded` first for raw output.
    case render(RenderOutput)
    /// The descriptor `output` that `outputNeeded` asked for, and `profile`, which gets the profile
    /// of pixels that are in the original's. Answer: `rendered`.
    case takeOutput
    /// Copy the file that the last `run` or `finish` told of into the descriptor `output`.
    /// Answer: `done`.
    case takeFile
    /// Whether the user should be asked before a cancel. Answer: `answer`.
    case shouldConfirmCancel
    /// Cancel the edit, at any time after start. Answer: `done`; the request under way, if any,
    /// is answered `failed` with `cancelled`.
    case cancel
    /// Destroy the controller. Answer: `done`.
    case close

    /// Read the XMP files `sidecar` and `secondSidecar`. Answer: `sidecars`.
    case readSidecars

    /// Which part of a video is left by steps, whose input is counted so. Answer: `kept`.
    case narrow([RenderStep], FrameTiming)
    /// Begin to run steps over the frames of a video; the base is its first frame, in memory of its own.
    /// Answer: `done`.
    case openFrames(RenderInput)
    /// Run them over one frame, one after the other in the order of time: `reusedBase`, and
    /// `reusedOutput` where its layout is known. Answer: `rendered`, or `outputNeeded` first.
    case processFrame(FrameJob)
    /// Which of the extensions make frames of their own. Answer: `answers`.
    case makesFrames([String])
    /// Give the only step, which makes frames of its own, one: `reusedBase`; nil: there are no more. Answer: `done`.
    case putFrame(FrameJob?)
    /// Take a frame that it has made: `reusedOutput` where its layout is known. Answer: `rendered`, with its moment, or
    /// `outputNeeded` first; `frame` with nil: there is none until it gets another.
    case takeFrame(RawLayout?)
    /// There are no more: finish and destroy the controllers. Answer: `done`.
    case closeFrames

    /// Open the video `base`, to read it from its beginning, its frames reduced to a height, in pixels.
    /// Answer: `videoOpened`.
    case openVideo(height: Int?)
    /// Go to the frame that is shown at a time, in seconds from the first; that is what `readFrame` gives next.
    /// Answer: `done`.
    case skipTo(Double)
    /// Decode the next frame into `reusedOutput`. Answer: `frame`; nil: there are no more.
    case readFrame
    /// Decode so many frames more, and keep none of them. Answer: `decoded`; fewer frames: there are no more.
    case decodeFrames(limit: Int)
    /// Begin to write a video into the file `videoOutput`; sound, chapters and metadata are those
    /// of the video `base`. Answer: `done`.
    case beginVideo(VideoWriting)
    /// Encode a frame, whose pixels are in `reusedBase`. Answer: `done`.
    case writeFrame(FrameTime, RawLayout)
    /// That was the last, which ends at this timestamp; nil: as its time said. Answer: `done` where one of the frames was
    /// written that the encoder had held back, and this is to be asked again; else `rendered`.
    case endVideo(at: Int64?)
    /// Copy the video `base` into the file `videoOutput` without decoding it. Answer: `copied`; nil: it would have to be
    /// encoded.
    case copyVideo(VideoCopying)
    /// Say what of the video `base` is left out if it is written in a format. Answer: `losses`.
    case foreseeLosses(MediaFormat)
}

/// A request and what the descriptors that travel with it are, in their order.
package struct RequestEnvelope: Codable, Hashable, Sendable {
    /// The roles of the descriptors, without a leading `inbox`.
    package var descriptors: [DescriptorRole]
    /// The request.
    package var request: RunnerRequest

    /// Makes an envelope.
    package init(descriptors: [DescriptorRole], request: RunnerRequest) {
        self.descriptors = descriptors
        self.request = request
    }
}

/// What a packet says of rows that have been written: how many there are, in 4 bytes, little endian.
package enum RowCount {
    /// There will be no more.
    package static let none = UInt32.max
}

/// What a file descriptor that travels with a request is.
package enum DescriptorRole: String, Codable, Hashable, Sendable {
    /// The base picture, read only.
    case base
    /// In place of `base`: raw pixels, read only, in memory of a fixed size that will come again.
    case reusedBase
    /// The same, of pixels that an extension wrote, which may still change them: each is read once, as a copy.
    case changingBase
    /// With raw pixels as the base, which are still being written: a socket that says how many rows there are.
    case arrivingRows
    /// The original, read only, whose metadata and profile the encoder copies.
    case metadataSource
    /// The original, read only, for extensions that may read it.
    case original
    /// An XMP file beside the base, read only, for what the base does not say itself.
    case sidecar
    /// Another one, for what neither says.
    case secondSidecar
    /// The original's RGB profile. With raw pixels, read only, for a runner that does not get the
    /// original; with `takeOutput`, empty, where the runner writes it.
    case profile
    /// With `run`, for raw pixels: where the runner writes the original's RGB profile before it answers, empty.
    case writtenProfile
    /// A picture of the current state, read only.
    case placeholder
    /// With raw pixels as the placeholder, in memory of a fixed size that will come again, which are written when they
    /// are wanted: a socket that says how many rows there are.
    case placeholderRows
    /// An extension's library, sealed memory.
    case library
    /// The bytes of an extension's files, sealed memory.
    case files
    /// The bytes of files that parameters name, sealed memory.
    case parameterFiles
    /// Where output goes, read and write, empty.
    case output
    /// Where the uncompressed pixels of a drawing go, read and write, empty.
    case pixels
    /// In place of `output`: for raw pixels, memory of a fixed size that will come again.
    case reusedOutput
    /// With `reusedOutput`: a socket by which the runner says how many rows it has written. A runner without extensions
    /// takes other requests meanwhile.
    case writtenRows
    /// The file that a video is written into, read and write, empty.
    case videoOutput
    /// Where a reply goes that is too large for a packet, read and write, empty.
    case outbox
    /// The request itself, where it is too large for a packet, read only. Always the first.
    case inbox
}

/// An extension as a runner knows it.
package struct LoadedExtension: Codable, Hashable, Sendable {
    /// Must equal what the library says of itself.
    package var identifier: String
    /// Must equal what the library says of itself.
    package var version: String
    /// The pixels it wants.
    package var pixelFormats: [PixelFormat]
    /// Whether it may ask for random access.
    package var access: PixelAccess

    /// Whether the library may call itself as it likes: it is loaded to be asked for its manifest. Nil: no.
    package var isUnknown: Bool?

    /// Where its files lie in the descriptor `files`; nil: it has none.
    package var files: [PackedFile]?

    /// Makes a description from a manifest.
    package init(_ manifest: ExtensionManifest, files: [PackedFile] = []) {
        self.files = files
        identifier = manifest.identifier
        version = manifest.version
        pixelFormats = manifest.pixelFormats
        access = manifest.access
    }
}

/// A file in memory with others.
package struct PackedFile: Codable, Hashable, Sendable {
    /// What it is asked for by: its name in the extension's folder, or "sha256:" and its hash.
    package var name: String
    /// Where it begins, in bytes.
    package var offset: Int
    /// How long it is, in bytes.
    package var count: Int

    /// Makes one; every argument is the property of its name.
    package init(name: String, offset: Int, count: Int) {
        (self.name, self.offset, self.count) = (name, offset, count)
    }
}

/// What an editing session starts from: the state that the extension gets as its input, the
/// recipe to continue, and the facts about the asset that a `ContentEditingInput` carries.
///
/// Descriptors: `base`; `metadataSource` (the original) or `profile`; `parameterFiles`, where there are
/// any; and `placeholder`, a picture of the current state, where that is not the input state.
package struct SessionStart: Codable, Hashable, Sendable {
    /// The longer side of display images, at most, in pixels, where nothing else is said.
    package static let displaySize = 2048

    /// The input state: previous where the extension can handle the recipe, else current.
    package var input: RenderInput
    /// The recipe to continue; nil where there is none or `canHandle` said no.
    package var adjustmentData: AdjustmentData?
    /// The size of the picture that the base is a reduction of, which comes with `supplyFullSize`
    /// before `finish`. Nil: the base is of full size.
    package var reducedFrom: PixelSize?
    /// Whether previews are wanted before `finish`. The extension gets no full-size image before that.
    package var isInteractive: Bool
    /// What the placeholder's bytes are; nil: the input state is the current one.
    package var placeholder: RenderInput.Base?
    /// What the asset is.
    package var mediaType: MediaType
    /// Finer.
    package var mediaSubtypes: MediaSubtype
    /// RFC 3339; nil where the file has no date.
    package var creationDate: String?
    /// Where it was taken.
    package var location: Location?
    /// How it was taken.
    package var capture: CaptureFacts
    /// MIME type of the original.
    package var contentType: String
    /// MIME type of the rendition that will be stored.
    package var renderedContentType: String
    /// The longer side of the display image, at most, in pixels.
    package var displaySize: Int

    /// Makes a start; every argument is the property of its name.
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
