// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option that answers the questions of commands that delete.
struct ConfirmationOption: ParsableArguments {
    @Flag(help: "Do not ask at the terminal before deleting.")
    var yes = false

    /// Asks a question at the terminal. Without a terminal, as in scripts, the answer is yes.
    ///
    /// - Parameter readsList: Whether standard input was a list of photos, so that it cannot answer.
    /// - Throws: `CommandEnd` if the answer is no.
    func confirm(_ question: String, readsList: Bool = false) throws {
        guard !yes, TerminalQuestion.canBeAsked(readsList: readsList) else { return }
        guard TerminalQuestion.ask(question) == true else {
            throw CommandEnd(status: .interrupted, message: "nothing was deleted")
        }
    }

    /// Asks before photos are removed for good.
    ///
    /// - Throws: `CommandEnd` if the answer is no.
    func confirmRemoval(of count: Int, readsList: Bool = false) throws {
        guard count > 0 else { return }
        try confirm(
            "Remove \(count.counted("photo")) and all edits for good? This cannot be undone.",
            readsList: readsList)
    }
}
