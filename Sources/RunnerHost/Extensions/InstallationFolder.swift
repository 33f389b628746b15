// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Glibc

/// A temporary folder beside the user's extensions, in which a new one is assembled before it gets its final
/// name.
///
/// It is locked for its lifetime, so that other processes can recognise folders left by a killed host.
package final class InstallationFolder: Sendable {
    private static let prefix = ".installing-"

    package let path: String
    private let lock: OpenFile

    /// - Parameter parent: The user's extension folder, created if it is missing.
    /// - Throws: `HostError` with `fileFailed`.
    package init(in parent: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw HostError(
                .fileFailed,
                "the folder \(parent) cannot be created: "
                    + "\(error.localizedDescription)",
                underlying: error)
        }
        Self.removeAbandoned(in: parent)
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw HostError.output("cannot be created", path: "a folder in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = try OpenFile.reading(path, flags: O_DIRECTORY)
        _ = flock(lock.descriptor, LOCK_SH | LOCK_NB)
    }

    /// Creates an empty subfolder.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func makeFolder(_ name: String) throws -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o755) == 0 else {
            throw HostError.output("cannot be created", path: folder)
        }
        return folder
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Removes unlocked folders older than a minute. Younger ones may be about to be locked.
    private static func removeAbandoned(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            var status = stat()
            guard
                let folder = try? OpenFile.reading(path, flags: O_DIRECTORY | O_NOFOLLOW),
                fstat(folder.descriptor, &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > 60,
                flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
