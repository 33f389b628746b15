// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A message from a runner: the answer to a request, or an unsolicited one.
package enum RunnerReply: Codable, Hashable, Sendable {
    /// Unsolicited, once, after start-up: the runner accepts requests.
    case ready(RunnerFacts)
    /// Unsolicited, at any time: the runner's next activity, so that a crash can be attributed. After the answer to
    /// the last request, the runner is implicitly idle.
    case phase(RunnerPhase)
    /// Unsolicited, at any time: a line for the log.
    case log(String)
    /// Unsolicited, during an edit: the fraction done as reported by the extension, 0...1.
    case progress(Double)
    /// Unsolicited, during an edit: a reader waits for rows of the edit's input pixels.
    case inputWanted
    /// Unsolicited, during an edit: a reader waits for rows of the placeholder.
    case placeholderWanted

    /// Success without a result.
    case done
    /// The extension was loaded.
    case loaded
    /// A Boolean answer.
    case answer(Bool)
    /// One Boolean answer for each item of the request.
    case answers([Bool])
    /// The values of all parameters, as a JSON object.
    case parameters(Data)
    /// The manifest generated from an extension's code, or nil if the extension generates none.
    case manifest(Data?)
    /// The pixels were written or examined.
    case rendered(RenderReport)
    /// Raw output will have this layout: send `takeOutput`.
    case outputNeeded(RawLayout)
    /// The step at this index wrote its output to a file: send `takeFile`.
    case fileWritten(step: Int, WrittenFile)
    /// The contents of XMP files.
    case sidecars(SidecarFacts)
    /// The finished edit; nil if there is nothing to commit. If its output is a file, send `takeFile`.
    case finished(FinishedEdit?)
    /// The part of the video that each step keeps, in order.
    case kept([KeptRange])
    /// The video was opened.
    case videoOpened(OpenedVideo)
    /// The time of a decoded frame; nil at the end of the video.
    case frame(FrameTime?)
    /// The result of decoding frames without keeping them.
    case decoded(DecodedFrames)
    /// The result of copying a video; nil if it has to be encoded.
    case copied(CopiedVideo?)
    /// The parts of a video that are lost, each in words such as "its cover".
    case losses([String])
    /// The request failed.
    case failed(RunnerFailure)
}

/// The result of computing pixels.
package struct RenderReport: Codable, Hashable, Sendable {
    /// The width of the output in pixels.
    package var width: Int
    /// The height of the output in pixels.
    package var height: Int
    /// The picture's size before it was reduced for the output, or nil if unknown.
    package var fullSize: PixelSize?
    /// The layout of the pixels in the descriptor `pixels`, or nil if none were written.
    package var layout: RawLayout?
    /// The video frame that the picture shows.
    package var moment: FrameMoment?
    /// The number of bytes written to the output descriptor, from its start.
    package var byteCount: Int
    /// The base picture's facts, for `facts` and for an encoded base.
    package var facts: PhotoFacts?
    /// The number of encoded pictures that this runner has decoded at full size since it started.
    package var fullSizeDecodes: Int
    /// The quality of the base, for `quality`.
    package var quality: PictureQuality?
    /// The number of encoded pictures that this runner has decoded at a reduced size, such as for display images.
    package var reducedDecodes: Int
    /// Warnings for the user, for example that only the first frame was used.
    package var warnings: [String]
    /// The original's metadata that the output format cannot store, each in words.
    package var omissions: [String]

    /// Creates a report from its properties.
    package init(
        width: Int, height: Int, fullSize: PixelSize? = nil, byteCount: Int, facts: PhotoFacts?,
        fullSizeDecodes: Int, reducedDecodes: Int = 0,
        warnings: [String] = [], omissions: [String] = []
    ) {
        self.width = width
        self.height = height
        self.fullSize = fullSize
        self.byteCount = byteCount
        self.facts = facts
        self.fullSizeDecodes = fullSizeDecodes
        self.reducedDecodes = reducedDecodes
        self.warnings = warnings
        self.omissions = omissions
    }
}

/// The quality of a picture, relative to others of the same scene.
package struct PictureQuality: Codable, Hashable, Sendable {
    /// The mean squared gradient of the luminance, from 0.
    package var sharpness: Double
    /// The fraction of the picture that is neither black nor white, 0...1.
    package var exposure: Double

    /// Creates a quality from its properties.
    package init(sharpness: Double, exposure: Double) {
        self.sharpness = sharpness
        self.exposure = exposure
    }
}

/// The result of an extension's `finish`.
package struct FinishedEdit: Codable, Hashable, Sendable {
    /// The recipe as received. It is untrusted: the host validates it.
    package var adjustmentData: AdjustmentData
    /// The file with the output. Nil if the output is an image in the runner.
    package var file: WrittenFile?

    /// Creates a finished edit from its recipe and file.
    package init(adjustmentData: AdjustmentData, file: WrittenFile?) {
        self.adjustmentData = adjustmentData
        self.file = file
    }
}

/// A file that an extension wrote as its output. The runner opens it before the extension can remove it, and copies
/// it on `takeFile`.
package struct WrittenFile: Codable, Hashable, Sendable {
    /// The MIME type announced by the extension.
    package var contentType: String
    /// The profile of the pixels if the file has no embedded one.
    package var profile: ColorProfile

    /// Creates a description from its properties.
    package init(contentType: String, profile: ColorProfile) {
        self.contentType = contentType
        self.profile = profile
    }
}

/// The reason why a request failed.
package struct RunnerFailure: DescribedError, Codable, Hashable {
    /// The kind of a failure.
    package enum Code: String, Codable, Sendable {
        /// The input is not a picture that can be decoded completely.
        case badInput
        /// The input's format is not allowed.
        case blockedFormat
        /// The input exceeds the size limits.
        case tooLarge
        /// The extension's library cannot be loaded, or does not match its manifest.
        case badExtension
        /// The extension returned an error, or an invalid result.
        case extensionFailed
        /// The extension cannot continue the recipe to be re-rendered.
        case cannotHandle
        /// The extension rejected a parameter's value.
        case badParameter
        /// The edit was cancelled.
        case cancelled
        /// The output could not be written.
        case outputFailed
        /// The storage for the output is full.
        case diskFull
        /// There is no encoder for the output format.
        case unwritableFormat
        /// The request is invalid: no session is open, or a descriptor is missing.
        case badRequest
        /// The identifier of a Live Photo cannot be stored, because it would replace another maker note.
        case otherMakerNote
    }

    /// The kind of the failure.
    package var code: Code
    /// A description from libvips or the extension.
    package var message: String
    /// The identifier of the extension that failed, if any.
    package var extensionIdentifier: String?

    /// The extension that failed, if any.
    package var subjects: [ErrorSubject] {
        extensionIdentifier.map { [.editingExtension($0)] } ?? []
    }

    /// Creates a failure from its properties.
    package init(code: Code, message: String, extensionIdentifier: String? = nil) {
        self.code = code
        self.message = message
        self.extensionIdentifier = extensionIdentifier
    }
}

/// The activity of a runner, used to attribute a crash.
package enum RunnerPhase: Codable, Hashable, Sendable {
    /// Starting, or waiting for a request.
    case idle
    /// Opening or reading an encoded picture; no extension code is running.
    case decoding
    /// Loading an extension's library.
    case loading(extensionIdentifier: String)
    /// Executing a function of an extension; `call` is its name in the C contract.
    case calling(extensionIdentifier: String, call: String)
    /// Waiting for an extension to call the completion of its `finish`, which has returned.
    case awaitingCompletion(extensionIdentifier: String)
    /// Computing pixels; the code of these extensions may be running.
    case pixels(extensionIdentifiers: [String])
}
