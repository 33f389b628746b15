// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerSupport

/// The colour encoding of a video's frames, if it differs from sRGB.
enum ColorCoding: Hashable {
    /// High dynamic range.
    case high(HighDynamicRange)
    /// Standard dynamic range with primaries other than those of sRGB.
    case standard(GamutMapping.Primaries)

    /// Creates the encoding for code points of ISO/IEC 23091-2; returns `nil` if it is sRGB or close to it.
    init?(transfer: Int, primaries: Int) {
        if let range = HighDynamicRange(transfer: transfer, primaries: primaries) {
            self = .high(range)
        } else if let primaries = GamutMapping.Primaries(codePoint: primaries),
            GamutMapping.isStandardRange(transfer: transfer)
        {
            self = .standard(primaries)
        } else {
            return nil
        }
    }

    /// A warning for the user; `nil` if only colours outside the sRGB gamut are lost.
    var warning: String? {
        switch self {
        case .high(let range): range.warning
        case .standard: nil
        }
    }
}
