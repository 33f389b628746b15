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
    case inputNeeded
    /// Unsolicited, during an edit: a reader waits for rows of the placeholder.
    case placeholderNeeded
    /// Unsolicited, during an edit that was started with `offersVideo`: the extension waits for its video. Send
    /// `supplyVideo`. There is at most one such request at a time.
    case videoNeeded(InputVideoRequest)

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
    case outputNeeded(UncompressedLayout)
    /// The step at this index wrote its output to a file: send `takeFile`.
    case fileWritten(step: Int, WrittenFile)
    /// The contents of an XMP file.
    case sidecar(SidecarFacts)
    /// The finished edit; nil if there is nothing to commit. If its output is a file, send `takeFile`.
    case finished(FinishedEdit?)
    /// The part of the video that each step keeps, in order.
    case keptRanges([KeptRange])
    /// The video was opened.
    case videoOpened(OpenedVideo)
    /// The time of a decoded frame; nil at the end of the video.
    case frame(FrameTime?)
    /// The format of the sound; nil if there is none that can be decoded.
    case soundOpened(SoundFormat?)
    /// The result of decoding frames without keeping them.
    case decoded(DecodedFrames)
    /// The result of copying a video; nil if it has to be encoded.
    case copied(CopiedVideo?)
    /// The parts of a video that are lost, each in words such as "its cover".
    case losses([String])
    /// The request failed.
    case failed(RunnerFailure)
}
