// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc

/// A question at the terminal whether to discard an edit.
enum CancelQuestion {
    /// `true` if standard input and standard error are a terminal.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// Asks the question on a separate thread. End of input counts as yes.
    static func ask(_ answer: @escaping @Sendable (_ wantsToCancel: Bool) -> Void) {
        let thread = Thread {
            StandardStream.error.write("\nDiscard the edit? [y/N] ")
            guard let line = readLine() else { return answer(true) }
            let isYes = ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
            if !isYes { StandardStream.error.message("the edit continues") }
            answer(isYes)
        }
        thread.name = "question"
        thread.start()
    }
}
