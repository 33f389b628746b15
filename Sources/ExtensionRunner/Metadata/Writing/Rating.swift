// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// Star ratings in other units.
enum Rating {
    /// Returns the rating as a percentage, as in Windows.
    static func percent(_ stars: Int) -> Int {
        let steps = [0, 1, 25, 50, 75, 99]
        return steps.indices.contains(stars) ? steps[stars] : 0
    }
}
