// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

extension Runner {
    /// Returns for each step whether it generates its own frames.
    func generatesFrames(_ steps: ArraySlice<StatePlan.Step>) async throws -> [Bool] {
        let identifiers = steps.map(\.binary.manifest.identifier)
        let reply = try await send(.generatesFrames(identifiers), timeout: timeouts.render)
        guard case .answers(let answers) = reply, answers.count == steps.count else {
            throw unexpected(reply)
        }
        return answers
    }

    /// Copies a video without decoding it.
    ///
    /// - Returns: `nil` if the video must be encoded.
    func copy(
        _ copying: VideoCopySettings, from source: OpenFile, to file: OpenFile
    ) async throws -> CopiedVideo? {
        let reply = try await send(
            .copyVideo(copying), [(.base, source), (.videoOutput, file)],
            timeout: timeouts.render, isFullSize: true)
        guard case .copied(let copied) = reply else { throw unexpected(reply) }
        return copied
    }
}
