// SPDX-License-Identifier: Apache-2.0

/// What a command prints: JSON objects, one a line, or text for people.
struct Output: Sendable {
    /// Whether the user wants JSON.
    let isJSON: Bool
    /// How far the work is, while it goes on.
    let progress: ProgressLine

    /// - Parameters:
    ///   - isJSON: whether the user wants JSON.
    ///   - tellsProgress: whether the user wants to know in JSON, too, how far the work is.
    init(isJSON: Bool, tellsProgress: Bool = false) {
        self.isJSON = isJSON
        progress = ProgressLine(isJSON: isJSON && tellsProgress)
    }

    /// Prints a JSON object, or a line of text.
    ///
    /// - Throws: `CommandEnd` if the output cannot be written.
    func print(_ json: @autoclosure () -> JSONValue, _ text: @autoclosure () -> String) throws {
        try write(isJSON ? json().text : text().printable)
    }

    /// Prints a JSON object; nothing for people.
    func printJSON(_ json: @autoclosure () -> JSONValue) throws {
        if isJSON { try write(json().text) }
    }

    /// Prints text for people, which may have several lines; nothing as JSON.
    func printText(_ lines: @autoclosure () -> [String]) throws {
        guard !isJSON else { return }
        for line in lines() { try write(line.printable) }
    }

    /// Prints a text that is JSON either way, of one line or of several.
    ///
    /// - Throws: `CommandEnd` if the output cannot be written.
    func print(document: String) throws {
        for line in document.split(separator: "\n") { try write(String(line).printable) }
    }

    private func write(_ line: String) throws {
        progress.clear()
        try StandardStream.output.print(line + "\n")
        progress.draw()
    }

    /// Tells of the failure of one item, where JSON does not.
    func failure(_ error: any Error, of item: String) {
        progress.fail()
        guard !isJSON else { return }
        let words = ExitStatus.words(for: error)
        message(words.contains(item) ? words : "\(item): \(words)")
    }

    /// Tells something on the side.
    func message(_ text: String) {
        progress.clear()
        StandardStream.error.message(text)
        progress.draw()
    }
}
