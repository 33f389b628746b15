// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// A folder of nobody else's, for a runner or for an edit.
///
/// It is locked as long as its host lives, so that others can tell the folders of hosts that
/// were killed.
final class PrivateFolder: Sendable {
    /// What it is for; the beginning of its name.
    enum Purpose: String, CaseIterable {
        /// The only place where a runner may write.
        case runner = "edithost-runner-"
        /// What an application reads and writes for an edit of its own.
        case edit = "edithost-edit-"
    }

    let path: String
    private let lock: OpenFile

    /// - Throws: `HostError` with `fileFailed`.
    init(for purpose: Purpose) throws {
        let parent = FileManager.default.temporaryDirectory.path
        Self.removeAbandoned(in: parent)
        var template = Array("\(parent)/\(purpose.rawValue)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw HostError.file("cannot be created", path: "a folder in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = try OpenFile.reading(path, flags: O_DIRECTORY)
        _ = flock(lock.descriptor, LOCK_SH | LOCK_NB)
    }

    /// Removes it and all in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    deinit { remove() }

    /// Removes the folders that hosts left behind when they were killed. Young ones are spared:
    /// theirs may be about to be locked.
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
