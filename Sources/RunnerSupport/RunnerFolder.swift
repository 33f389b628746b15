// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol

/// The private folder of the runner, the only place where files appear.
package final class RunnerFolder: Sendable {
    /// Its path.
    package let path: String
    private let counter = Monitor(0)

    /// - Parameter path: The path that the host made; it exists.
    package init(_ path: String) { self.path = path }

    /// The folder named in the environment; nil where there is none.
    package static func fromEnvironment() -> RunnerFolder? {
        guard let path = getenv(RunnerArguments.folder), path.pointee != 0 else { return nil }
        return RunnerFolder(String(cString: path))
    }

    /// A name that has not been given yet.
    package func newName(_ purpose: String, _ ending: String) -> String {
        let number = counter.access { counter in
            counter += 1
            return counter
        }
        return "\(purpose)-\(number).\(ending)"
    }

    /// The path of a file in the folder.
    package func path(for name: String) -> String { "\(path)/\(name)" }

    /// The names of the regular files that are there, for people; at most a hundred.
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

    /// Makes a new file for reading and writing; nil with `errno` set where that fails.
    package static func create(_ path: String) -> OpenFile? {
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return number < 0 ? nil : OpenFile(descriptor: number)
    }

    /// Removes files that nobody needs any more.
    package func remove(_ paths: [String]) {
        for path in paths { unlink(path) }
    }
}
