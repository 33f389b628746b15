// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Library

extension CommandOutput {
    /// Prints the outcome of a change to the edits of an asset.
    func print(_ result: EditResult, unchanged: String) throws {
        try print(
            result.history, hasChanged: result.hasChanged, unchanged: unchanged, result.warnings)
    }

    /// Prints the edits of an asset.
    func print(
        _ history: AssetHistory, hasChanged: Bool, unchanged: String, _ warnings: [String] = []
    ) throws {
        let identifier = history.asset.localIdentifier
        let (chain, tip) = (history.chain, history.chain.last)
        let authors = chain.map { $0.isEnabled ? $0.author : "\($0.author) (disabled)" }
        try print(
            JSONRow(
                editsOf: identifier, history: history,
                status: hasChanged ? "committed" : "unchanged",
                extension: tip?.editingExtension?.identifier,
                edit: hasChanged ? tip?.identifier : nil,
                rendition: hasChanged ? tip?.current?.blob : nil, warnings: warnings),
            "\(ShortIdentifier.of(identifier))  "
                + (hasChanged
                    ? "\(chain.count.counted("edit")): \(authors.joined(separator: ", "))"
                    : unchanged))
        warn(warnings, about: identifier)
    }

    /// Prints warnings about an asset as messages.
    func warn(_ warnings: [String], about identifier: String) {
        for warning in warnings { message("\(ShortIdentifier.of(identifier)): \(warning)") }
    }
}
