// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension MediaFormat {
    /// The name of FFmpeg's muxer.
    ///
    /// - Throws: `badRequest`.
    var muxer: String {
        get throws(RunnerFailure) {
            switch self {
            case .quickTime: return "mov"
            case .mp4: return "mp4"
            case .matroska: return "matroska"
            default:
                throw RunnerFailure(
                    code: .badRequest, message: "videos cannot be written as \(displayName)")
            }
        }
    }
}
