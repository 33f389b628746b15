// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension Location {
    /// Whether another location is equal within the precision of metadata.
    func isNear(_ other: Location) -> Bool {
        (latitude - other.latitude).magnitude < 1e-7
            && (longitude - other.longitude).magnitude < 1e-7
    }
}
