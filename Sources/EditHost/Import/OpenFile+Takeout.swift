// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

extension OpenFile {
    /// The number of bytes searched. The files of Google Takeout are shorter.
    private static let longestJSON = 1 << 20

    /// Whether a JSON file has the member in which Google Takeout states when a picture was taken.
    ///
    /// The file is searched and not parsed.
    ///
    /// - Throws: `SystemError` if it cannot be read.
    func hasTakeoutMetadata() throws -> Bool {
        Data(try read(count: Self.longestJSON)).range(of: Data("\"photoTakenTime\"".utf8)) != nil
    }
}
