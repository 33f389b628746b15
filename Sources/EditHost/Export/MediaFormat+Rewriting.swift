// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension MediaFormat {
    /// Whether metadata of such files can be changed without re-encoding.
    var canBeRetagged: Bool { [.jpeg, .heic, .avif, .gif].contains(self) }

    /// True if the encoder has a quality setting.
    package var hasQuality: Bool {
        switch self {
        case .jpeg, .heic, .avif, .webp, .jxl: true
        default: false
        }
    }
}
