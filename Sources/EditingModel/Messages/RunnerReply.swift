// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What a runner says.
public enum RunnerReply: Codable, Hashable, Sendable {
    /// Unasked, once, after start-up: the runner takes requests.
    case ready(RunnerFacts)
    /// Unasked, at any time: what the runner is about to do, so that a crash can be blamed.
    case phase(RunnerPhase)
    /// Unasked, at any time: a line for the log.
    case log(String)

    /// Done, nothing to tell.
    case done
    /// The extension was loaded.
    case loaded
    /// A yes or no.
    case answer(Bool)
    /// The values of all parameters, a JSON object.
    case parameters(Data)
    /// The pixels were written, or looked at.
    case rendered(RenderReport)
    /// Raw output will be of this layout: send `takeOutput`.
    case outputNeeded(RawLayout)
    /// The step of this index put its output into a file: send `takeFile`.
    case fileWritten(step: Int, WrittenFile)
    /// The edit is finished; nil: nothing to commit. Where its output is a file, send `takeFile`.
    case finished(FinishedEdit?)
    /// It could not be done.
    case failed(RunnerFailure)
}
