// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost

extension HostError {
    /// Returns the error for a file of a format that is not read.
    ///
    /// - Parameter name: The name of the file.
    static func unsupported(_ format: MediaFormat, named name: String) -> HostError {
        HostError(
            .blockedFormat,
            format == .unknown
                ? "\(name) is not a picture or video that edithost recognises"
                : "\(name): \(format.displayName) files are not supported")
    }
}
