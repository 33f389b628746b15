// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// What a runner says.
package enum RunnerReply: Codable, Hashable, Sendable {
    /// Unasked, once, after start-up: the runner takes requests.
    case ready(RunnerFacts)
    /// Unasked, at any time: what the runner is about to do, so that a crash can be blamed. With the answer to
    /// the last request it is idle, without saying so.
    case phase(RunnerPhase)
    /// Unasked, at any time: a line for the log.
    case log(String)
    /// Unasked, while an edit is under way: how much of it the extension says is done, 0...1.
    case progress(Double)
    /// Unasked, while an edit is under way: somebody waits for rows of the pixels that it was started with.
    case inputWanted
    /// The same of the placeholder.
    case placeholderWanted

    /// Done, nothing to tell.
    case done
    /// The extension was loaded.
    case loaded
    /// A yes or no.
    case answer(Bool)
    /// One for each thing that was asked about.
    case answers([Bool])
    /// The values of all parameters, a JSON object.
    case parameters(Data)
    /// The manifest that was made of an extension's code; nil: it makes none.
    case manifest(Data?)
    /// The pixels were written, or looked at.
    case rendered(RenderReport)
    /// Raw output will be of this layout: send `takeOutput`.
    case outputNeeded(RawLayout)
    /// The step of this index put its output into a file: send `takeFile`.
    case fileWritten(step: Int, WrittenFile)
    /// What XMP files say.
    case sidecars(SidecarFacts)
    /// The edit is finished; nil: nothing to commit. Where its output is a file, send `takeFile`.
    case finished(FinishedEdit?)
    /// What each of the steps keeps, in their order.
    case kept([KeptRange])
    /// The video is open.
    case videoOpened(OpenedVideo)
    /// A frame has been decoded; nil: there are no more.
    case frame(FrameTime?)
    /// Frames have been decoded.
    case decoded(DecodedFrames)
    /// The video has been copied; nil: it would have to be encoded.
    case copied(CopiedVideo?)
    /// What of a video is left out, each in words such as "its cover".
    case losses([String])
    /// It could not be done.
    case failed(RunnerFailure)
}

/// What came of pulling pixels.
package struct RenderReport: Codable, Hashable, Sendable {
    /// Width of the output in pixels.
    package var width: Int
    /// Height of the output in pixels.
    package var height: Int
    /// The picture's size before it was reduced for the output; nil where that is not known.
    package var fullSize: PixelSize?
    /// How the pixels of a drawing lie in the descriptor `pixels`; nil: none were written there.
    package var layout: RawLayout?
    /// Of a video: which frame the picture is.
    package var moment: FrameMoment?
    /// Bytes written to the output descriptor, from its start.
    package var byteCount: Int
    /// The base picture's facts, for `facts` and where the base is encoded.
    package var facts: PhotoFacts?
    /// How often this runner has opened an encoded picture to decode it at full size since it started.
    package var fullSizeDecodes: Int
    /// How good the base is, for `quality`.
    package var quality: PictureQuality?
    /// How often it has decoded one for a display image or another reduced one.
    package var reducedDecodes: Int
    /// Things worth telling the user, for example that only the first frame was used.
    package var warnings: [String]
    /// What of the original's metadata the output has no place for, each in words.
    package var omissions: [String]

    /// Makes a report.
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

/// How good a picture is, in comparison with others of the same scene.
package struct PictureQuality: Codable, Hashable, Sendable {
    /// The mean square of the gradient of its luminance, from 0.
    package var sharpness: Double
    /// The part of it that is neither black nor white, 0...1.
    package var exposure: Double

    /// Makes one; every argument is the property of its name.
    package init(sharpness: Double, exposure: Double) {
        self.sharpness = sharpness
        self.exposure = exposure
    }
}

/// What an extension's `finish` gave.
package struct FinishedEdit: Codable, Hashable, Sendable {
    /// The recipe, as it came: the host checks it.
    package var adjustmentData: AdjustmentData
    /// The file that holds the output; nil: the output is an image in the runner.
    package var file: WrittenFile?

    /// Makes a finished edit.
    package init(adjustmentData: AdjustmentData, file: WrittenFile?) {
        self.adjustmentData = adjustmentData
        self.file = file
    }
}

/// A file that an extension wrote as its output. The runner has opened it before the extension could
/// remove it, and copies it when asked to by `takeFile`.
package struct WrittenFile: Codable, Hashable, Sendable {
    /// The MIME type that the extension announced.
    package var contentType: String
    /// The profile of its pixels, where the file has none.
    package var profile: ColorProfile

    /// Makes a description.
    package init(contentType: String, profile: ColorProfile) {
        self.contentType = contentType
        self.profile = profile
    }
}

/// Why a request could not be carried out.
package struct RunnerFailure: DescribedError, Codable, Hashable {
    /// What kind of failure it is.
    package enum Code: String, Codable, Sendable {
        /// The input is not a picture that can be decoded whole.
        case badInput
        /// The input's format is not one that is opened.
        case blockedFormat
        /// The input is too large for the limits.
        case tooLarge
        /// The extension's library cannot be loaded or is not what its manifest says.
        case badExtension
        /// The extension returned an error, or something unusable.
        case extensionFailed
        /// The extension cannot continue the recipe that it was given to run again.
        case cannotHandle
        /// A parameter's value was refused by the extension.
        case badParameter
        /// The edit was cancelled.
        case cancelled
        /// The output could not be written.
        case outputFailed
        /// There is no room for the output.
        case diskFull
        /// There is no encoder for the format of the output.
        case unwritableFormat
        /// The request does not fit: no session is open, a descriptor is missing.
        case badRequest
        /// The identifier of a Live Photo has no place: the file has another maker's note, which would be lost.
        case otherMakerNote
    }

    /// What kind of failure it is.
    package var code: Code
    /// What happened, in words, from libvips or the extension.
    package var message: String
    /// The extension concerned.
    package var extensionIdentifier: String?

    /// The extension concerned.
    package var subjects: [ErrorSubject] {
        extensionIdentifier.map { [.editingExtension($0)] } ?? []
    }

    /// Makes a failure.
    package init(code: Code, message: String, extensionIdentifier: String? = nil) {
        self.code = code
        self.message = message
        self.extensionIdentifier = extensionIdentifier
    }
}

/// What a runner is doing, for the blame when it dies.
package enum RunnerPhase: Codable, Hashable, Sendable {
    /// Starting, or waiting for a request.
    case idle
    /// Opening or reading an encoded picture; no extension code is running.
    case decoding
    /// Loading an extension's library.
    case loading(extensionIdentifier: String)
    /// Inside a call of an extension; `call` is the name in the C contract.
    case calling(extensionIdentifier: String, call: String)
    /// Waiting for an extension to call the completion of its `finish`, which has returned.
    case awaitingCompletion(extensionIdentifier: String)
    /// Pulling pixels through the pipeline: the code of these extensions may be running.
    case pixels(extensionIdentifiers: [String])
}
