// SPDX-License-Identifier: Apache-2.0

import JSONOutput

/// The output of a command: one JSON object per line, or text.
struct CommandOutput: Sendable {
    /// `true` if the user requested JSON.
    let isJSON: Bool
    /// The progress of the command.
    let progress: ProgressLine

    /// - Parameters:
    ///   - isJSON: `true` if the user requested JSON.
    ///   - includesProgress: `true` if JSON output includes progress.
    init(isJSON: Bool, includesProgress: Bool = false) {
        self.isJSON = isJSON
        progress = ProgressLine(isJSON: isJSON && includesProgress)
    }

    /// Prints a JSON object, or a line of text.
    ///
    /// - Throws: `CommandEnd` if the output cannot be written.
    func print(_ row: @autoclosure () -> JSONRow, _ text: @autoclosure () -> String) throws {
        try write(line(row(), text()))
    }

    /// Returns the line that ``print(_:_:)`` prints.
    func line(
        _ row: @autoclosure () -> JSONRow, _ text: @autoclosure () -> String
    ) throws -> String {
        try isJSON ? JSONText.of(row()) : text().printable
    }

    /// Prints the outcome for a photo, with its messages.
    func print(_ outcome: OutcomeLine) throws {
        try write(outcome.line)
        for text in outcome.messages { message(text) }
    }

    /// Prints a JSON object in JSON mode; a no-op otherwise.
    func printJSON(_ row: @autoclosure () -> JSONRow) throws {
        if isJSON { try write(JSONText.of(row())) }
    }

    /// Prints lines of text in text mode; a no-op otherwise.
    func printText(_ lines: @autoclosure () -> [String]) throws {
        guard !isJSON else { return }
        for line in lines() { try write(line.printable) }
    }

    /// Prints JSON in both modes, on one or several lines.
    ///
    /// - Throws: `CommandEnd` if the output cannot be written.
    func print(document: String) throws {
        for line in JSONText.escaping(document).split(separator: "\n") { try write(String(line)) }
    }

    private func write(_ line: String) throws {
        progress.clear()
        try StandardStream.output.print(line + "\n")
        progress.draw()
    }

    /// Writes the error of one item to standard error, unless JSON output contains it.
    func failure(_ error: any Error, of item: String) {
        progress.fail()
        guard !isJSON else { return }
        let words = ExitStatus.words(for: error)
        message(words.contains(item) ? words : "\(item): \(words)")
    }

    /// Writes a message to standard error.
    func message(_ text: String) {
        progress.clear()
        StandardStream.error.message(text)
        progress.draw()
    }
}
