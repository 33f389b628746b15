// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// Runs the body and converts errors of libvips to a failure that names the task.
///
/// - Parameters:
///   - task: The description of the task, as in "cannot …".
///   - code: The code of the failure.
///   - extensionIdentifier: The extension that caused it, if any.
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
            code: code, message: "cannot \(task): \(abbreviated("\(error)"))",
            extensionIdentifier: extensionIdentifier)
    }
}

/// Returns a message of libvips or an extension on one line, at most 600 characters long.
func abbreviated(_ message: String) -> String {
    var lines: [Substring] = []
    for line in message.split(whereSeparator: \.isNewline) where !lines.contains(line) {
        lines.append(line)
    }
    // Loaders seek past the end of files, and libvips logs that even if they succeed.
    let reasons = lines.filter { !$0.contains("bad seek to ") }
    if !reasons.isEmpty { lines = reasons }
    let text = lines.prefix(4).joined(separator: "; ")
    return text.utf8.count <= 600 ? text : String(text.prefix(600)) + "…"
}
