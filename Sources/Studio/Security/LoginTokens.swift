// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import RunnerHost

/// The unused login tokens, as files in the folder of the studio.
///
/// A file contains the hash of a token, not the token. Any program of the user can issue a token for a running server,
/// as `edithost studio login` does. Redeeming a token removes its file. This succeeds only once, even if several
/// servers try.
package struct LoginTokens: Sendable {
    /// The time in seconds for which a token is valid: 5 minutes.
    package static let lifetime = 300

    private static let suffix = ".token"
    private static let pageSuffix = ".html"

    private let folder: StudioFolder

    /// Opens the folder, and creates it if it is missing.
    ///
    /// - Parameter path: A folder that only the user can access.
    /// - Throws: `HostError` with `fileFailed` if the folder cannot be created, or others can access it.
    package init(folder path: String) throws(HostError) { folder = try StudioFolder(path) }

    /// Issues a token.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func issue() throws -> SecretToken {
        removeExpired()
        let token = SecretToken()
        try folder.write(token.digest, to: token.digest.prefix(16) + Self.suffix)
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
        try folder.write(
            """
            <!doctype html><html lang="en"><meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0;url=\(address)#token=\(token.text)">
            <title>edithost studio</title>

            """, to: name)
        return "\(folder.path)/\(name)"
    }

    /// Redeems a token, which becomes invalid. Returns whether it was valid.
    package func redeem(_ text: String) -> Bool {
        removeExpired()
        let digest = SecretToken.digest(of: text)
        for name in folder.names(withSuffix: Self.suffix) where folder.content(of: name) == digest {
            try? FileManager.default.removeItem(
                atPath: "\(folder.path)/\(name.dropLast(Self.suffix.count))\(Self.pageSuffix)")
            // Only one of several attempts can remove the file.
            return unlink("\(folder.path)/\(name)") == 0
        }
        return false
    }

    /// Removes the files of expired tokens.
    private func removeExpired() {
        let now = time(nil)
        for name in folder.names(withSuffix: Self.suffix)
            + folder.names(withSuffix: Self.pageSuffix)
        {
            var status = stat()
            guard lstat("\(folder.path)/\(name)", &status) == 0 else { continue }
            let age = now - status.st_mtim.tv_sec
            if age > Self.lifetime || age < -Self.lifetime { unlink("\(folder.path)/\(name)") }
        }
    }
}
