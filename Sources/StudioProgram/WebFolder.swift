// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation

/// The folder with the files of the page, beside the program.
enum WebFolder {
    /// The path of this program, with symbolic links resolved.
    static var executable: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    }

    /// Returns the path of the folder.
    ///
    /// - Throws: `HostError` with `noSuchFile`.
    static func path() throws(HostError) -> String {
        let folder = (executable as NSString).deletingLastPathComponent + "/studio"
        guard FileManager.default.fileExists(atPath: folder + "/index.html") else {
            throw HostError(.noSuchFile, "the files of the studio are not installed: \(folder)")
        }
        return folder
    }
}
