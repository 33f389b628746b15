// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What a host asks of a runner. Requests are answered once each, by a reply with their number.
///
/// All are carried out one after the other, but `shouldConfirmCancel` and `cancel`, which are
/// answered at once, also while another is being carried out.
public enum RunnerRequest: Codable, Hashable, Sendable {
    /// Load an extension from the descriptor `library` (sealed memory whose hash the host has
    /// checked). Answer: `loaded`.
    case load(LoadedExtension)

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
    /// Change parameters: a JSON object. Answer: `parameters`, the values after the change.
    case setParameters(Data)
    /// Render the edit as it stands at display size into `output`.
    /// Answer: `rendered`, or `outputNeeded` first for raw output.
    case preview(RenderOutput)
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
}
