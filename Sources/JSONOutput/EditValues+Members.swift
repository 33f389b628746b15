// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel

extension EditValues {
    /// The reason why the values are unknown.
    package var reason: String? {
        if case .unknown(let reason) = self { reason } else { nil }
    }

    /// The values; `nil` if they are unknown.
    package var known: [String: ParameterValue]? {
        if case .known(let values) = self { values } else { nil }
    }
}
