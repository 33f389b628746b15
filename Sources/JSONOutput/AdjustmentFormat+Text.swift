// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AdjustmentFormat {
    /// The format, with its versions if only some are supported.
    package var text: String {
        ([formatIdentifier] + (formatVersions ?? [])).joined(separator: " ")
    }
}
