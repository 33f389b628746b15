// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension Location {
    /// The position in degrees north and east with six decimals, which is a decimetre: `52.516300, 13.377700`.
    var tableText: String { String(format: "%.6f, %.6f", latitude, longitude) }
}
