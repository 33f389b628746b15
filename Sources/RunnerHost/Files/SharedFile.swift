// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// A small configuration file of the user that several processes may change. Changes are serialised by a lock file.
package struct SharedFile {
    /// The maximum number of bytes read.
    package static let maximumBytes = 16 << 20

    let path: String

    /// A fingerprint that detects changes to the file without reading it.
    struct Version: Equatable {
        fileprivate let inode: UInt64
        fileprivate let seconds: Int
        fileprivate let nanoseconds: Int
    }

    /// The current version of the file; nil if it is missing.
    var version: Version? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Version(
            inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Replaces the content of the file, empty if it is missing, with the result of a body. Readers see
    /// either the old or the new content. Changes by other processes wait.
    ///
    /// - Returns: The new version.
    /// - Throws: `HostError` with `fileFailed`; any error of the body.
    @discardableResult
    func replace(_ body: (Data) throws -> Data) throws -> Version? {
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
        return try withExtendedLifetime(lock) {
            try NewFile.replace(path, with: try OpenFile.memory("file", holding: new))
            return version
        }
    }

    /// Returns the content of the file; empty if it is missing.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func content() throws -> Data {
        do {
            let file = try OpenFile.readingRegularFile(path)
            // Reading only a part would cause the whole file to be replaced by that part.
            guard try file.byteCount() <= Self.maximumBytes else {
                throw HostError(
                    .fileFailed,
                    "\(path) is larger than \(Self.maximumBytes >> 20) MiB; move it away")
            }
            return try file.read(count: Self.maximumBytes)
        } catch let error as HostError where error.code == .noSuchFile {
            return Data()
        }
    }
}
