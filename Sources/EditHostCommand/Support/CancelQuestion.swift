// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Asks at the terminal whether an edit is to be thrown away.
enum CancelQuestion {
    /// Whether there is somebody to ask.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// Asks, on a thread of its own. No answer is a yes: the user has gone.
    static func ask(_ answer: @escaping @Sendable (_ wantsToCancel: Bool) -> Void) {
        let thread = Thread {
            StandardStream.error.write("\nThrow the edit away? [y/N] ")
            guard let line = readLine() else { return answer(true) }
            let isYes = ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
            if !isYes { StandardStream.error.message("the edit goes on") }
            answer(isYes)
        }
        thread.name = "question"
        thread.start()
    }
}
