// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput

extension RerenderPlan {
    /// Ends the command if extensions are missing or unusable.
    ///
    /// - Parameter consequence: The consequence for the user, and how to proceed regardless.
    func requireNoMissing(_ consequence: String) throws {
        guard let first = missing.first, let error = first.error else { return }
        throw CommandEnd(
            status: ExitStatus(error),
            message: ExitStatus.words(for: error)
                + (missing.count == 1 ? "" : "; \(missing.count) photos are affected")
                + "; \(consequence)")
    }
}
