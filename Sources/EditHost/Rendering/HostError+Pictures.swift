// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

extension HostError {
    /// Whether the decoded picture is to blame, and not an unrelated end of its runner.
    var isAboutPicture: Bool {
        switch code {
        case .badInput, .blockedFormat: true
        case .runnerFailed: (underlying as? RunnerDeath).map { $0.cause != .terminated } ?? false
        default: false
        }
    }
}
