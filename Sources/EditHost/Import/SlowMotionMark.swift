// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Importer.StagedFile {
    /// Files of Apple's cameras that say it have less than a kilobyte.
    private static let longestMark = 1 << 16

    /// Whether it is the AAE file of a video that is shown in slow motion, by the format of its adjustment data. Nothing of it is
    /// parsed: the name is found in property lists of either kind.
    ///
    /// - Throws: `LibraryError` where it cannot be read.
    func marksSlowMotion() throws -> Bool {
        guard type == .adjustmentData else { return false }
        let start = try staged.open().read(count: Self.longestMark)
        return Data(start).range(of: Data("com.apple.video.slomo".utf8)) != nil
    }
}
