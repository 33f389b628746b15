// SPDX-License-Identifier: Apache-2.0

import Library

/// The result of edits of one photograph.
protocol EditOutcome: Sendable {
    var assetIdentifier: String { get }
    var hasChanged: Bool { get }

    func print(to output: CommandOutput, in library: PhotoLibrary) throws
}
