// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

extension EditValues {
    /// The reason why the values are unknown.
    var reason: String? {
        if case .unknown(let reason) = self { reason } else { nil }
    }

    /// The values; `nil` if they are unknown.
    var known: [String: ParameterValue]? {
        if case .known(let values) = self { values } else { nil }
    }

    /// The values as text, sorted by name.
    var words: String {
        switch self {
        case .known(let values):
            values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text.printable)" }
                .joined(separator: ", ")
        case .unknown(let reason): reason.printable
        }
    }
}
