// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// A private temporary folder for a runner, an edit or a worker.
///
/// It is locked while its host is running, so other hosts can detect and remove the folders of hosts that
/// were killed.
package final class PrivateFolder: Sendable {
    /// The purpose of a folder. The raw value is the prefix of its name.
    package enum Purpose: String, CaseIterable {
        /// The only folder that a runner may write to.
        case runner = "edithost-runner-"
        /// The files that an application reads and writes for its own edit.
        case edit = "edithost-edit-"
        /// The inputs and outputs of a worker that renders without a library.
        case work = "edithost-work-"
    }

    package let path: String
    private let lock: OpenFile

    /// - Throws: `HostError` with `fileFailed`.
    package init(for purpose: Purpose) throws {
        let parent = FileManager.default.temporaryDirectory.path
        Self.removeAbandoned(in: parent)
        var template = Array("\(parent)/\(purpose.rawValue)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw HostError.output("cannot be created", path: "a folder in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = try OpenFile.reading(path, flags: O_DIRECTORY)
        _ = flock(lock.descriptor, LOCK_SH | LOCK_NB)
    }

    /// Returns whether a path is in a private folder of any host.
    static func contains(_ path: String) -> Bool {
        let parent = FileManager.default.temporaryDirectory.path
        return Purpose.allCases.contains { path.hasPrefix("\(parent)/\($0.rawValue)") }
    }

    /// Removes the folder and its contents.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    deinit { remove() }

    /// Removes the folders of hosts that were killed. Folders younger than a minute are skipped, because
    /// they may not be locked yet.
    private static func removeAbandoned(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where Purpose.allCases.contains(where: { name.hasPrefix($0.rawValue) }) {
            let path = "\(parent)/\(name)"
            guard
                let folder = try? OpenFile.reading(path, flags: O_DIRECTORY | O_NOFOLLOW)
            else { continue }
            var status = stat()
            guard fstat(folder.descriptor, &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > 60,
                flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
