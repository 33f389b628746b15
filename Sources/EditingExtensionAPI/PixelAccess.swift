// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// In which order the pixels of an image will be read.
public enum PixelAccess: Sendable {
    /// Top to bottom: cheap in memory, and enough for whatever works pixel by pixel.
    case sequential
    /// In any order: quarter turns, vertical flips, warps. Needs `"access": "random"` in the
    /// manifest.
    case random

    var raw: ee_access {
        ee_access(self == .sequential ? EE_ACCESS_SEQUENTIAL : EE_ACCESS_RANDOM)
    }
}
