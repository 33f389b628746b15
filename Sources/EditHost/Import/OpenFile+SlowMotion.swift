// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

extension OpenFile {
    /// The number of bytes searched. Such files by Apple's cameras have less than a kilobyte.
    private static let longestMark = 1 << 16

    /// Whether an AAE file marks a slow-motion video, by the format identifier of its adjustment data.
    ///
    /// The file is searched and not parsed, which works for XML and binary property lists.
    ///
    /// - Throws: `SystemError` if it cannot be read.
    func marksSlowMotion() throws -> Bool {
        let start = try read(count: Self.longestMark)
        return Data(start).range(of: Data("com.apple.video.slomo".utf8)) != nil
    }
}
