// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension ColorMatrix {
    /// Creates the sepia matrix of W3C Filter Effects for an intensity of 0...1.
    init(sepia intensity: Double) throws {
        let rest = 1 - intensity
        try self.init([
            0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest,
            0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest,
            0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest,
        ])
    }
}
