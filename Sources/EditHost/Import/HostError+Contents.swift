// SPDX-License-Identifier: Apache-2.0

import RunnerHost
import RunnerProtocol

extension HostError {
    /// Whether a runner has found that the contents of a file cannot be used. This excludes a runner that died, a
    /// missing one, and limits of the configuration.
    var isAboutContents: Bool {
        guard let failure = underlying as? RunnerFailure else { return false }
        return [.badInput, .blockedFormat].contains(failure.code)
    }
}
