// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension EditChainResult: EditOutcome {
    var assetIdentifier: String { history.asset.localIdentifier }

    func print(to output: CommandOutput, in library: PhotoLibrary) throws {
        try output.print(self, unchanged: "already has these edits")
    }
}
