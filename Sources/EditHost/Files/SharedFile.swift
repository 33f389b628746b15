// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// A small file of the user's configuration that several processes change, one after the other.
struct SharedFile {
    /// Longer ones are not read.
    static let maximumBytes = 16 << 20

    let path: String

    /// Reads the file (empty where there is none), and puts what the body makes of it in its
    /// place. Readers see the old or the new content, and no two changes happen at once.
    ///
    /// - Throws: `HostError` with `fileFailed`, and what the body throws.
    func replace(_ body: (Data) throws -> Data) throws {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw HostError(
                .fileFailed,
                "the folder \(folder) cannot be created: "
                    + "\(error.localizedDescription)",
                underlying: error)
        }
        let number = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard number >= 0 else { throw HostError.file("cannot be opened", path: path) }
        let lock = OpenFile(descriptor: number)
        while flock(lock.descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw HostError.file("cannot be locked", path: path)
            }
        }
        let new = try body(try content())
        try withExtendedLifetime(lock) {
            try NewFile.replace(path, with: try OpenFile.memory("file", holding: new))
        }
    }

    /// The file's content; empty where there is none.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func content() throws -> Data {
        do {
            let file = try OpenFile.readingRegularFile(path)
            return try file.read(count: Self.maximumBytes)
        } catch let error as HostError where error.code == .noSuchFile {
            return Data()
        }
    }
}
