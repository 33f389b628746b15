// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The user's browser.
enum Browser {
    /// Opens a page in the desktop's default browser. Best effort: the user can also open the page manually.
    static func open(_ page: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xdg-open")
        process.arguments = [page]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
