// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import RunnerHost

/// The addresses of the running studios of a library, as files in the folder of the studio.
///
/// `edithost studio login` finds the studio in which another browser is to be logged in.
package struct RunningStudios: Sendable {
    private static let suffix = ".address"

    private let folder: StudioFolder

    /// Opens the folder, and creates it if it is missing.
    ///
    /// - Parameter path: The folder that also contains the ``LoginTokens``.
    /// - Throws: `HostError` with `fileFailed` if the folder cannot be created, or others can access it.
    package init(folder path: String) throws(HostError) { folder = try StudioFolder(path) }

    /// The address of the running server that was started last, or nil if there is none.
    package var address: String? {
        folder.names(withSuffix: Self.suffix).filter(Self.isRunning).max().flatMap(folder.content)
    }

    /// Records the address of a server of this process that is ready, for ``address``.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func record(_ address: String) throws {
        for name in folder.names(withSuffix: Self.suffix) where !Self.isRunning(name) {
            unlink("\(folder.path)/\(name)")
        }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // The name begins with the time, so that sorting by name sorts by the time of the start.
        let time = now.tv_sec * 1_000_000_000 + now.tv_nsec
        try folder.write(address, to: "\(time)-\(getpid())\(Self.suffix)")
    }

    /// Removes the recorded address of a server of this process that ends.
    package func forget(_ address: String) {
        for name in folder.names(withSuffix: Self.suffix)
        where Self.process(of: name) == getpid() && folder.content(of: name) == address {
            unlink("\(folder.path)/\(name)")
        }
    }

    /// Returns whether the process that recorded an address is running. A killed one could not remove its file.
    private static func isRunning(_ name: String) -> Bool {
        guard let process = process(of: name), process > 0 else { return false }
        return kill(process, 0) == 0
    }

    private static func process(of name: String) -> pid_t? {
        name.dropLast(suffix.count).split(separator: "-").last.flatMap { pid_t($0) }
    }
}
