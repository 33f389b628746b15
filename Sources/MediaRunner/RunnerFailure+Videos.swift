// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import RunnerSupport

extension RunnerFailure {
    /// Creates the error of an input video from that of the FFmpeg shim.
    static func badVideo(_ error: cmedia_error) -> RunnerFailure {
        RunnerFailure(code: .badInput, message: error.text)
    }

    /// Creates the error of an output video from that of the FFmpeg shim.
    static func badOutput(_ error: cmedia_error) -> RunnerFailure {
        RunnerFailure(code: error.is_full ? .diskFull : .outputFailed, message: error.text)
    }
}

extension cmedia_error {
    fileprivate var text: String {
        withUnsafeBytes(of: message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
