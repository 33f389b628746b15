// SPDX-License-Identifier: Apache-2.0

import EditHost
import FileAccess
import Foundation
import Glibc
import RunnerHost

/// Opens files by URL. `https` URLs are downloaded by `curl`.
enum Download {
    /// The time in seconds after which a download is aborted.
    private static let timeLimit = 600
    /// The status with which `curl` ends if the server does not have the file, with `--fail`.
    private static let noSuchFile: Int32 = 22

    /// Whether a text is a URL, and not a path.
    static func isURL(_ text: String) -> Bool {
        let scheme = scheme(of: text)
        return text.dropFirst(scheme.count).hasPrefix("://") || text.hasPrefix("file:/")
    }

    private static func scheme(of text: String) -> String {
        text.prefix { $0.isASCII && $0.isLetter }.lowercased()
    }

    /// Opens the file of a URL. Messages about the file contain the URL.
    ///
    /// - Parameters:
    ///   - text: An `https` or `file` URL.
    ///   - limit: The maximum size of a downloaded file in bytes.
    ///   - isOptional: Whether `curl` is silent if it fails.
    /// - Throws: `HostError` with `badRequest` for other URLs, `noSuchFile` or `fileFailed`; `CancellationError`.
    static func open(
        _ text: String, limit: Int, isOptional: Bool = false
    ) async throws -> OpenFile {
        if scheme(of: text) == "file", let url = URL(string: text), url.isFileURL {
            return try OpenFile.readingRegularFile(url.path)
        }
        guard scheme(of: text) == "https" else {
            throw HostError(.badRequest, "\(text) is neither an https nor a file URL")
        }
        let folder = try PrivateFolder(for: .edit)
        let path = "\(folder.path)/download"
        // `ulimit` also limits the file if the server announces no size. Its unit is 512 bytes.
        let status = try await ToolProcess(
            ["sh", "-c", "ulimit -f \"$0\" && exec curl \"$@\"", "\(limit / 512)"]
                + options(limit: limit, isOptional: isOptional) + ["--output", path, "--url", text]
        ).end()
        try Task.checkCancellation()
        try check(status, of: text)
        let file = try withExtendedLifetime(folder) { try OpenFile.readingRegularFile(path) }
        let number = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw HostError.file("cannot be opened", path: text) }
        return OpenFile(descriptor: number, path: text)
    }

    /// The options of `curl`: no configuration file, and no other protocol after a redirection.
    private static func options(limit: Int, isOptional: Bool) -> [String] {
        (isOptional ? ["--disable"] : ["--disable", "--show-error"]) + [
            "--silent", "--fail", "--location", "--max-redirs", "10",
            "--proto", "=https", "--max-filesize", "\(limit)", "--max-time", "\(timeLimit)",
            "--globoff",
        ]
    }

    private static func check(_ waitStatus: Int32, of url: String) throws {
        let status = waitStatus & 0x7F == 0 ? waitStatus >> 8 & 0xFF : -1
        guard status != 0 else { return }
        let code = status == noSuchFile ? HostError.Code.noSuchFile : .fileFailed
        throw HostError(code, "\(url) cannot be downloaded\(reason(status))")
    }

    /// Returns the reason for a status of `curl`, whose own message is printed as well.
    private static func reason(_ status: Int32) -> String {
        switch status {
        // A process that exceeds `ulimit` is killed by a signal.
        case 63, -1: "; it is too large"
        case 28: "; it takes more than \(timeLimit) s"
        case 35, 51, 60: "; curl does not trust the server's certificate"
        case 127: ", because curl is not installed"
        default: ""
        }
    }
}
