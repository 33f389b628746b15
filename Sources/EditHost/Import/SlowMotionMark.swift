// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

extension OpenFile {
    /// Files of Apple's cameras that say it have less than a kilobyte.
    private static let longestMark = 1 << 16

    /// Whether an AAE file is that of a video that is shown in slow motion, by the format of its adjustment data. Nothing of it
    /// is parsed: the name is found in property lists of either kind.
    ///
    /// - Throws: `SystemError` where it cannot be read.
    func marksSlowMotion() throws -> Bool {
        let start = try read(count: Self.longestMark)
        return Data(start).range(of: Data("com.apple.video.slomo".utf8)) != nil
    }
}
