// SPDX-License-Identifier: Apache-2.0

import EditHost
import RunnerHost

extension ExtensionStatus {
    /// The JSON members about trust and quarantine.
    package var row: JSONRow {
        [
            "trust": trust.rawValue, "wasTrusted": wasTrusted, "quarantined": isQuarantined,
        ]
    }
}
