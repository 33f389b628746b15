// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

/// The end of a command with a status other than 0.
struct CommandEnd: Error {
    let status: ExitStatus
    /// The message for the user; `nil` if everything was already printed.
    var message: String?

    /// Returns the end of a command on many items that the user cancelled. Completed items are kept.
    ///
    /// - Parameters:
    ///   - verb: The verb for the `count` completed items, as a participle.
    ///   - progress: The progress of the command.
    static func cancelled(_ count: Int, _ verb: String, _ progress: ProgressLine) -> CommandEnd {
        let left = progress.left.map { ", \($0) left" } ?? ""
        return CommandEnd(
            status: .interrupted, message: "cancelled; \(count) \(verb) and kept\(left)")
    }
}
