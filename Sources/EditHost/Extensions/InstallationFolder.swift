// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A folder beside the user's extensions, in which one is put together before it gets its name.
///
/// It is locked as long as its host lives, so that others can tell what a host that was killed has
/// left behind.
final class InstallationFolder: Sendable {
    private static let prefix = ".installing-"

    let path: String
    private let lock: OwnedDescriptor

    /// - Parameter parent: the user's extension folder, which is made where it is not there.
    /// - Throws: `HostError` with `fileFailed`.
    init(in parent: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw HostError(
                .fileFailed, "the folder \(parent) cannot be made: \(error.localizedDescription)",
                underlying: error)
        }
        Self.removeAbandoned(in: parent)
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw OwnedDescriptor.failure("cannot be made", path: "a folder in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = try OwnedDescriptor(readingFile: path, flags: O_DIRECTORY)
        _ = flock(lock.number, LOCK_SH | LOCK_NB)
    }

    /// A folder in it, empty.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func makeFolder(_ name: String) throws -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o755) == 0 else {
            throw OwnedDescriptor.failure("cannot be made", path: folder)
        }
        return folder
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Young ones are spared: theirs may be about to be locked.
    private static func removeAbandoned(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            var status = stat()
            guard
                let folder = try? OwnedDescriptor(
                    readingFile: path, flags: O_DIRECTORY | O_NOFOLLOW),
                fstat(folder.number, &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > 60,
                flock(folder.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
