// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerHost
import Synchronization

/// Uploaded files that are values of parameters. They are stored privately, named by their hashes, and removed when
/// their login ends or the server stops.
final class UploadedFiles: Sendable {
    private struct State {
        var folder: PrivateFolder?
        /// The hashes of the files of each login, the oldest first.
        var files: [ObjectIdentifier: [String]] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of files of a login. Beyond it, the oldest one is removed.
    init(limit: Int) { self.limit = limit }

    /// Receives a file and stores it until the login ends.
    ///
    /// - Parameter receive: Writes the bytes to a file and returns their SHA-256.
    /// - Returns: The SHA-256 of the bytes, in hexadecimal.
    /// - Throws: `HostError` with `fileFailed`; errors of the closure.
    func add(
        _ login: Login, _ receive: (OpenFile) async throws -> SHA256Digest
    ) async throws -> String {
        let folder = try state.withLock { state in
            let folder = try state.folder ?? PrivateFolder(for: .edit)
            state.folder = folder
            return folder
        }
        let path = "\(folder.path)/\(SecretToken().text)"
        // A file that was stored has been renamed by then.
        defer { unlink(path) }
        do {
            let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            let hash = try await receive(file).hex
            try store(path, in: folder, as: hash, login)
            return hash
        } catch let error as SystemError {
            throw HostError(
                .fileFailed, "a file of a parameter cannot be stored: \(path)", underlying: error)
        }
    }

    private func store(
        _ path: String, in folder: PrivateFolder, as hash: String, _ login: Login
    ) throws {
        let isFirst = try state.withLock { state in
            let isFirst = state.files[ObjectIdentifier(login)] == nil
            guard rename(path, "\(folder.path)/\(hash)") == 0 else { throw SystemError("rename") }
            var files = state.files[ObjectIdentifier(login)] ?? []
            files.removeAll { $0 == hash }
            files.append(hash)
            let removed = files.prefix(max(0, files.count - limit))
            state.files[ObjectIdentifier(login)] = Array(files.dropFirst(removed.count))
            for hash in removed { Self.removeIfUnused(hash, &state) }
            return isFirst
        }
        if isFirst {
            _ = login.whenEnded { [weak self, weak login] in
                if let login { self?.removeAll(of: login) }
            }
        }
    }

    /// Returns the path of a file that a login has stored.
    func path(of hash: String, _ login: Login) -> String? {
        state.withLock { state in
            guard state.files[ObjectIdentifier(login)]?.contains(hash) == true else { return nil }
            return state.folder.map { "\($0.path)/\(hash)" }
        }
    }

    private func removeAll(of login: Login) {
        state.withLock { state in
            for hash in state.files.removeValue(forKey: ObjectIdentifier(login)) ?? [] {
                Self.removeIfUnused(hash, &state)
            }
        }
    }

    private static func removeIfUnused(_ hash: String, _ state: inout State) {
        guard let folder = state.folder, !state.files.values.contains(where: { $0.contains(hash) })
        else { return }
        try? FileManager.default.removeItem(atPath: "\(folder.path)/\(hash)")
    }
}
