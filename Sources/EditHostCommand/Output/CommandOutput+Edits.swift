// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Library

extension CommandOutput {
    /// Returns the line about a change of an asset's edit stack.
    ///
    /// - Parameter unchanged: The text if nothing was changed.
    func line(of result: EditResult, unchanged: String) throws -> OutcomeLine {
        let chain = result.history.chain
        let authors = chain.map { $0.isEnabled ? $0.author : "\($0.author) (disabled)" }
        return try line(
            of: result, result.editsRow,
            result.hasChanged
                ? "\(chain.count.counted("edit")): \(authors.joined(separator: ", "))" : unchanged)
    }

    /// Returns the line about an edit with one extension, or with several.
    func line(of result: EditResult) throws -> OutcomeLine {
        guard let extensionIdentifier = result.extensionIdentifier else {
            return try line(of: result, unchanged: "already has these edits")
        }
        return try line(
            of: result,
            JSONRow(
                editsOf: result.assetIdentifier, history: result.history,
                status: result.status.rawValue, extension: extensionIdentifier,
                input: result.input, edit: result.editIdentifier, rendition: result.rendition,
                warnings: result.warnings),
            result.hasChanged
                ? "\(extensionIdentifier) \(result.isUpdate ? "updated" : "added")"
                : "unchanged by \(extensionIdentifier)")
    }

    private func line(
        of result: EditResult, _ row: @autoclosure () -> JSONRow,
        _ text: @autoclosure () -> String
    ) throws -> OutcomeLine {
        let short = ShortIdentifier.of(result.assetIdentifier)
        return OutcomeLine(
            assetIdentifier: result.assetIdentifier, hasChanged: result.hasChanged,
            line: try line(row(), "\(short)  \(text())"),
            messages: result.warnings.map { "\(short): \($0)" })
    }
}
