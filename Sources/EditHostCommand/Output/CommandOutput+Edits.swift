// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension CommandOutput {
    /// Prints the outcome of applying edits to an asset.
    func print(_ result: EditChainResult, unchanged: String) throws {
        try print(result.history, hasChanged: result.hasChanged, unchanged: unchanged)
        let short = ShortIdentifier.of(result.history.asset.localIdentifier)
        for warning in result.warnings { message("\(short): \(warning)") }
    }

    /// Prints the edits of an asset.
    func print(_ history: AssetHistory, hasChanged: Bool, unchanged: String) throws {
        let identifier = history.asset.localIdentifier
        let short = ShortIdentifier.of(identifier)
        let count = history.chain.count
        try print(
            [
                "id": identifier,
                "edits": history.chain.map(\.identifier),
                "state": history.position,
                "status": hasChanged ? "committed" : "unchanged",
                "error": nil,
            ],
            hasChanged
                ? "\(short)  \(count == 1 ? "1 edit" : "\(count) edits"): "
                    + history.chain.map { $0.isEnabled ? $0.author : "\($0.author) (disabled)" }
                    .joined(separator: ", ")
                : "\(short)  \(unchanged)")
    }
}
