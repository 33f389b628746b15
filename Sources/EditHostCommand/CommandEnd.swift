// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput
import Library

/// The end of a command with a status other than 0.
struct CommandEnd: Error {
    let status: ExitStatus
    /// The message for the user; `nil` if everything was already printed.
    var message: String?
}
