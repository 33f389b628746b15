// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The parameter values of an edit, as its extension reads them from the recipe.
public enum EditValues: Hashable, Sendable {
    /// The values of the extension's parameters, by name. The value of a file is its filename.
    case known([String: ParameterValue])
    /// The values are unavailable, for the reason given: a sentence without a full stop.
    case unknown(String)

    /// The values, or an empty dictionary if they are unavailable.
    public var values: [String: ParameterValue] {
        if case .known(let values) = self { values } else { [:] }
    }
}
