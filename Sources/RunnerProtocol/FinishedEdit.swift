// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The result of an extension's `finish`.
package struct FinishedEdit: Codable, Hashable, Sendable {
    /// The recipe as received. It is untrusted: the host validates it.
    package var adjustmentData: AdjustmentData
    /// The file with the output. Nil if the output is an image in the runner.
    package var file: WrittenFile?

    /// Creates a finished edit from its recipe and file.
    package init(adjustmentData: AdjustmentData, file: WrittenFile?) {
        self.adjustmentData = adjustmentData
        self.file = file
    }
}
