// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc

/// Yes-or-no questions at the terminal.
enum TerminalQuestion {
    /// `true` if standard input and standard error are a terminal.
    static var canBeAsked: Bool { canBeAsked(readsList: false) }

    /// `true` if standard error is a terminal, and standard input is one or was a list of photos.
    static func canBeAsked(readsList: Bool) -> Bool {
        StandardStream.error.isTerminal && (isatty(STDIN_FILENO) == 1 || readsList)
    }

    /// Asks a question and blocks until it is answered.
    ///
    /// - Returns: Whether the answer is yes; nil at the end of input.
    static func ask(_ question: String) -> Bool? {
        StandardStream.error.write("\(question) [y/N] ")
        return answer().map { line in
            ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
        }
    }

    /// Reads a line from standard input or, if that is not a terminal, from the terminal of the process.
    private static func answer() -> String? {
        guard isatty(STDIN_FILENO) == 0 else { return readLine() }
        guard let terminal = fopen("/dev/tty", "r") else { return nil }
        defer { fclose(terminal) }
        var bytes = [CChar](repeating: 0, count: 1024)
        guard fgets(&bytes, CInt(bytes.count), terminal) != nil else { return nil }
        return String(
            decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
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
