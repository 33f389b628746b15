// SPDX-License-Identifier: Apache-2.0

import EditingValues

extension PixelAccess {
    /// The access mode as a value of the C contract.
    var raw: ee_access {
        ee_access(self == .sequential ? EE_ACCESS_SEQUENTIAL : EE_ACCESS_RANDOM)
    }
}
