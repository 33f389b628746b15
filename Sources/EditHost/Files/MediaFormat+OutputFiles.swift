// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost

extension MediaFormat {
    /// Creates the format of a picture file to write, which the filename extension of its path selects.
    ///
    /// - Throws: `HostError` with `badRequest` if it selects none.
    init(ofOutput path: String) throws {
        let ending = (path as NSString).pathExtension
        guard let format = MediaFormat(name: ending), format.isWritten else {
            throw HostError(
                .badRequest,
                "the filename extension of \(path) is not that of a picture; use "
                    + Self.writtenFilenameExtensions.alternatives)
        }
        self = format
    }
}
