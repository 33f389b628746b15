// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library
import RunnerHost

extension ExtensionStatus {
    /// The trust status in a word or two.
    var trustText: String {
        switch trust {
        case .shipped: "shipped"
        case .user: "by you"
        case .none: wasTrusted ? "no longer (it has changed)" : "no"
        }
    }
}
