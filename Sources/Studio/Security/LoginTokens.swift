// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc
import RunnerHost

/// The unused login tokens, as files in a private folder of the user.
///
/// A file contains the hash of a token, not the token. Any program of the user can issue a token for a running server,
/// as `edithost studio login` does. Redeeming a token removes its file. This succeeds only once, even if several
/// servers try.
package struct LoginTokens: Sendable {
    /// The time in seconds for which a token is valid: 5 minutes.
    package static let lifetime = 300

    private static let addressSuffix = ".address"
    private static let suffix = ".token"
    private static let pageSuffix = ".html"

    private let path: String

    /// Opens the folder, and creates it if it is missing.
    ///
    /// - Parameter path: A folder that only the user can access.
    /// - Throws: `HostError` with `fileFailed` if the folder cannot be created, or others can access it.
    package init(folder path: String) throws(HostError) {
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

    /// Issues a token.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func issue() throws -> SecretToken {
        removeExpired()
        let token = SecretToken()
        try write(token.digest, to: token.digest.prefix(16) + Self.suffix)
        return token
    }

    /// Issues a token and writes a page that opens the studio with it. A program that opens the page then does not have
    /// the token on its command line, where other users could see it.
    ///
    /// - Parameter address: The address of the studio, such as `http://k3v9q2.localhost:4310/`.
    /// - Returns: The path of the page, which the login removes.
    /// - Throws: `HostError` with `fileFailed`.
    package func issuePage(for address: String) throws -> String {
        let token = try issue()
        let name = token.digest.prefix(16) + Self.pageSuffix
        try write(
            """
            <!doctype html><html lang="en"><meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0;url=\(address)#token=\(token.text)">
            <title>edithost studio</title>

            """, to: name)
        return "\(path)/\(name)"
    }

    /// Redeems a token, which becomes invalid. Returns whether it was valid.
    package func redeem(_ text: String) -> Bool {
        removeExpired()
        let digest = SecretToken.digest(of: text)
        for name in names(Self.suffix) where content(of: name) == digest {
            try? FileManager.default.removeItem(
                atPath: "\(path)/\(name.dropLast(Self.suffix.count))\(Self.pageSuffix)")
            // Only one of several attempts can remove the file.
            return unlink("\(path)/\(name)") == 0
        }
        return false
    }

    // MARK: - Running servers

    /// The address of the running server that was started last, or nil if there is none.
    package var address: String? {
        names(Self.addressSuffix).filter(Self.isRunning).max().flatMap(content)
    }

    /// Records the address of a server of this process that is ready, for ``address``.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func record(_ address: String) throws {
        for name in names(Self.addressSuffix) where !Self.isRunning(name) {
            unlink("\(path)/\(name)")
        }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // The name begins with the time, so that sorting by name sorts by the time of the start.
        let time = now.tv_sec * 1_000_000_000 + now.tv_nsec
        try write(address, to: "\(time)-\(getpid())\(Self.addressSuffix)")
    }

    /// Removes the recorded address of a server of this process that ends.
    package func forget(_ address: String) {
        for name in names(Self.addressSuffix)
        where Self.process(of: name) == getpid() && content(of: name) == address {
            unlink("\(path)/\(name)")
        }
    }

    /// Returns whether the process that recorded an address is running. A killed one could not remove its file.
    private static func isRunning(_ name: String) -> Bool {
        guard let process = process(of: name), process > 0 else { return false }
        return kill(process, 0) == 0
    }

    private static func process(of name: String) -> pid_t? {
        name.dropLast(addressSuffix.count).split(separator: "-").last.flatMap { pid_t($0) }
    }

    // MARK: - Files

    /// Removes the files of expired tokens.
    private func removeExpired() {
        let now = time(nil)
        for name in names(Self.suffix) + names(Self.pageSuffix) {
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0 else { continue }
            let age = now - status.st_mtim.tv_sec
            if age > Self.lifetime || age < -Self.lifetime { unlink("\(path)/\(name)") }
        }
    }

    private func names(_ suffix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }
    }

    private func content(of name: String) -> String? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func write(_ text: String, to name: some StringProtocol) throws {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HostError.file("cannot be created", path: file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            unlink(file)
            throw HostError.file("cannot be written", path: file)
        }
    }
}
