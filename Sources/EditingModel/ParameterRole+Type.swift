// SPDX-License-Identifier: Apache-2.0

import EditingValues

extension ParameterRole {
    /// The type that a parameter with this role must have; `nil` for unknown roles.
    var type: ExtensionParameter.Kind? {
        switch self {
        case .crop: .rectangle
        case .straighten: .angle
        case .timeStart, .timeEnd: .number
        case .automatic: .boolean
        default: nil
        }
    }
}
