// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The result of copying a video.
package struct CopiedVideo: Codable, Hashable, Sendable {
    /// The duration of the copy in seconds.
    package var duration: Double
    /// Warnings for the user.
    package var warnings: [String]

    /// Creates a result from its properties.
    package init(duration: Double, warnings: [String]) {
        self.duration = duration
        self.warnings = warnings
    }
}
