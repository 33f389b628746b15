// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc

/// Yes-or-no questions at the terminal.
enum TerminalQuestion {
    /// `true` if standard input and standard error are a terminal.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// Asks a question and blocks until it is answered.
    ///
    /// - Returns: Whether the answer is yes; nil at the end of input.
    static func ask(_ question: String) -> Bool? {
        StandardStream.error.write("\(question) [y/N] ")
        return readLine().map { line in
            ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
        }
    }

    /// Asks on a separate thread whether to discard an edit. End of input counts as yes.
    static func askToCancel(_ answer: @escaping @Sendable (_ wantsToCancel: Bool) -> Void) {
        let thread = Thread {
            let isYes = ask("\nDiscard the edit?") ?? true
            if !isYes { StandardStream.error.message("the edit continues") }
            answer(isYes)
        }
        thread.name = "question"
        thread.start()
    }
}
