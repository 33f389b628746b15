// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A request from a host to a runner. Each request gets exactly one answer, a reply with its number.
///
/// Requests are carried out in sequence. The exceptions are `shouldConfirmCancel`, `cancel` and `supplyVideo`, which
/// are answered immediately, even while another request is in flight.
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
    /// Answers the request of the last `videoNeeded`. Answer: `done`.
    case supplyVideo(InputVideoReply)
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

    /// Reads the XMP file `sidecar`. Answer: `sidecar`.
    case readSidecar
    /// Writes an XMP file to `output`, based on the earlier one, `sidecar`, and on the metadata of the picture
    /// `metadataSource`, if they are given. The output is empty if there is nothing to write. Answer: `done`.
    case writeSidecar(SidecarWriting)

    /// Returns the part of a video that each step keeps, given the timing of the input. Answer: `keptRanges`.
    case narrow([RenderStep], FrameTiming)
    /// Prepares to run steps over the frames of a video. The base is its first frame, in memory that is not reused for
    /// later frames. Answer: `done`.
    case openFrames(RenderInput)
    /// Runs the steps over one frame, in order of time: `reusedBase`, and `reusedOutput` if its layout is known.
    /// Answer: `rendered`, or `outputNeeded` first.
    case processFrame(FrameJob)
    /// Returns for each extension whether it generates frames. Answer: `answers`.
    case generatesFrames([String])
    /// Passes a frame to the only step, which generates frames: `reusedBase`; nil ends the video. Answer: `done`.
    case putFrame(FrameJob?)
    /// Takes a frame that the step has generated: `reusedOutput` if its layout is known. Answer: `rendered` with its
    /// moment, or `outputNeeded` first. `frame` with nil means that none is ready until another frame is passed.
    case takeFrame(UncompressedLayout?)
    /// Finishes and destroys the controllers after the last frame. Answer: `done`.
    case closeFrames

    /// Opens the video `base` at its start, with frames reduced to a height in pixels. Answer: `videoOpened`.
    case openVideo(height: Int?)
    /// Seeks to the frame shown at a time, in seconds from the first; `readFrame` returns it next. Answer: `frame`.
    case seek(Double)
    /// Decodes the next frame to `reusedOutput`. Answer: `frame`; nil at the end of the video.
    case readFrame
    /// Decodes up to a number of frames without keeping them. Answer: `decoded`; fewer frames at the end of the
    /// video.
    case decodeFrames(limit: Int)
    /// Opens the sound of the video `base`. Answer: `soundOpened`.
    case openSound
    /// Decodes a number of samples to `reusedOutput`, starting with the sample `first` after the start of the video.
    /// Missing samples are silent. Answer: `done`.
    case readSound(first: Int64, count: Int)
    /// Starts writing a video to the file `videoOutput`. Sound, chapters and metadata come from the video `base`.
    /// Answer: `done`.
    case beginVideo(VideoWriterSettings)
    /// Encodes a frame, whose pixels are in `reusedBase`. Answer: `done`.
    case writeFrame(FrameTime, UncompressedLayout)
    /// Ends the video at a timestamp; nil means at the end of the last frame. Answer: `done` if a frame that the
    /// encoder had buffered was written, and this must be repeated; otherwise `rendered`.
    case endVideo(at: Int64?)
    /// Copies the video `base` to the file `videoOutput` without decoding it. Answer: `copied`; nil if it has to be
    /// encoded.
    case copyVideo(VideoCopySettings)
    /// Returns the parts of the video `base` that are lost if it is written in a format. Answer: `losses`.
    case findLosses(MediaFormat)
    /// Returns whether browsers can play the video `base` without a conversion. Answer: `answer`.
    case playsInBrowsers
}
