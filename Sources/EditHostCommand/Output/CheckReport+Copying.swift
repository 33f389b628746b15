// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension CheckReport.Finding {
    /// The hash of the stored file that the problem concerns.
    var blob: SHA256Digest? {
        path?.split(separator: "/").last.flatMap { SHA256Digest(hex: String($0)) }
    }
}
