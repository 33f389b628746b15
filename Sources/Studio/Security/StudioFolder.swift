// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import RunnerHost

/// The folder for the login tokens and the addresses of a library's studios. Only the user can access it.
struct StudioFolder: Sendable {
    /// The path of the folder.
    let path: String

    /// Opens the folder, and creates it if it is missing.
    ///
    /// - Parameter path: The path of the folder.
    /// - Throws: `HostError` with `fileFailed` if the folder cannot be created, or others can access it.
    init(_ path: String) throws(HostError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw HostError(
                .fileFailed, "the folder for login tokens cannot be created: \(path)",
                underlying: error)
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0
        else {
            throw HostError(
                .fileFailed,
                "others can access the folder for login tokens, so it is not used: \(path)")
        }
    }

    /// Returns the names of the files with a suffix.
    func names(withSuffix suffix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }
    }

    /// Returns the content of a file, or nil if it cannot be read.
    func content(of name: String) -> String? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Writes a new file that only the user can read.
    ///
    /// - Throws: `HostError` with `fileFailed`, including if the file already exists.
    func write(_ text: String, to name: some StringProtocol) throws {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HostError.output("cannot be created", path: file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            unlink(file)
            throw HostError.output(path: file)
        }
    }
}
