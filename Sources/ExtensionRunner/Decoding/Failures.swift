// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// Runs the body; what libvips reports becomes a failure that says what was being done.
///
/// - Parameters:
///   - task: What is being done, as in "cannot …".
///   - code: What kind of failure it is.
///   - extensionIdentifier: The extension concerned.
func wrapping<Result>(
    _ task: String, code: RunnerFailure.Code, extensionIdentifier: String? = nil,
    _ body: () throws -> Result
) throws(RunnerFailure) -> Result {
    do {
        return try body()
    } catch let failure as RunnerFailure {
        throw failure
    } catch {
        throw RunnerFailure(
            code: code, message: "cannot \(task): \(brief("\(error)"))",
            extensionIdentifier: extensionIdentifier)
    }
}

/// A message of libvips, or of an extension, on one line and of bounded length.
func brief(_ message: String) -> String {
    var lines: [Substring] = []
    for line in message.split(whereSeparator: \.isNewline) where !lines.contains(line) {
        lines.append(line)
    }
    // Loaders look behind the end of a file, and libvips notes that even where they get along.
    let reasons = lines.filter { !$0.contains("bad seek to ") }
    if !reasons.isEmpty { lines = reasons }
    let text = lines.prefix(4).joined(separator: "; ")
    return text.utf8.count <= 600 ? text : String(text.prefix(600)) + "…"
}
