// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Library

extension CommandOutput {
    /// Prints the outcome of a change to the edits of an asset.
    func print(_ result: EditResult, unchanged: String) throws {
        let identifier = result.assetIdentifier
        let chain = result.history.chain
        let authors = chain.map { $0.isEnabled ? $0.author : "\($0.author) (disabled)" }
        try print(
            result.editsRow,
            "\(ShortIdentifier.of(identifier))  "
                + (result.hasChanged
                    ? "\(chain.count.counted("edit")): \(authors.joined(separator: ", "))"
                    : unchanged))
        warn(result.warnings, about: identifier)
    }

    /// Prints warnings about an asset as messages.
    func warn(_ warnings: [String], about identifier: String) {
        for warning in warnings { message("\(ShortIdentifier.of(identifier)): \(warning)") }
    }
}
