// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol

/// The private folder of the runner, the only place where it creates files.
package final class RunnerFolder: Sendable {
    /// The path of the folder.
    package let path: String
    private let counter = LockedValue(0)

    /// Creates a reference to an existing folder.
    ///
    /// - Parameter path: The path of a folder created by the host.
    package init(_ path: String) { self.path = path }

    /// Returns the folder named in the environment, or nil if there is none.
    package static func fromEnvironment() -> RunnerFolder? {
        guard let path = getenv(RunnerArguments.folder), path.pointee != 0 else { return nil }
        return RunnerFolder(String(cString: path))
    }

    /// Returns a unique file name.
    package func newName(_ purpose: String, _ filenameExtension: String) -> String {
        let number = counter.access { counter in
            counter += 1
            return counter
        }
        return "\(purpose)-\(number).\(filenameExtension)"
    }

    /// Returns the path of a file in the folder.
    package func path(for name: String) -> String { "\(path)/\(name)" }

    /// Returns the names of the regular files in the folder, for messages; at most a hundred.
    package func files() -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < 100, let entry = readdir(stream) {
            guard entry.pointee.d_type == UInt8(DT_REG) else { continue }
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.sorted()
    }

    /// Creates a new file for reading and writing; nil with `errno` set on failure.
    package static func create(_ path: String) -> OpenFile? {
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return number < 0 ? nil : OpenFile(descriptor: number)
    }

    /// Removes files that are no longer needed.
    package func remove(_ paths: [String]) {
        for path in paths { unlink(path) }
    }
}
