// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput
import Library

extension EditValues {
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
