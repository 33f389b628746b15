// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import RunnerProtocol

extension ControllerSession {
    /// Sets parameters without the checks of the host.
    ///
    /// - Returns: The values of all parameters; nil if the extension rejected the change.
    func valuesUnlessRejected(_ json: Data) async throws -> [String: ParameterValue]? {
        do {
            let reply = try await runner.send(
                .setParameters(json, files: []), timeout: runner.timeouts.interactive)
            guard case .parameters(let values) = reply else { throw runner.unexpected(reply) }
            return try JSONDecoder().decode([String: ParameterValue].self, from: values)
        } catch let error as HostError where error.underlying is RunnerFailure {
            return nil
        }
    }

    /// Cancels the edit.
    ///
    /// - Throws: `HostError` if the extension does not return in time, or crashes.
    func cancelInTime() async throws {
        let reply = try await runner.send(.cancel, timeout: runner.timeouts.shortCall)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }

    /// Waits up to two seconds, until the extension is in `finish` or until only its completion is outstanding.
    ///
    /// - Parameter hasEnded: Returns whether the request has ended in the meantime.
    func waitForFinish(unless hasEnded: () -> Bool) async {
        for _ in 1...400 where !hasEnded() {
            switch runner.process.phase {
            case .calling(_, "finish"), .awaitingCompletion: return
            default: try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
