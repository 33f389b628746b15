// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Hashing
import RunnerHost
import Synchronization

/// Files from the browser's machine that are values of parameters. They are stored privately, named by their hashes, and
/// removed with the server.
final class UploadedFiles: Sendable {
    private struct State {
        var folder: PrivateFolder?
        /// The hashes of the files of each login, the oldest first.
        var files: [ObjectIdentifier: [String]] = [:]
        /// The logins from which a file is being received.
        var receiving: Set<ObjectIdentifier> = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of files of a login. Beyond it, the oldest is forgotten.
    init(limit: Int) { self.limit = limit }

    /// Receives a file and stores it until the login ends. One at a time, because it is in memory meanwhile.
    ///
    /// - Returns: The SHA-256 of the bytes, in hexadecimal.
    /// - Throws: `StudioError` with `tooManyRequests` if another file of the login is being received; `HostError` with
    ///   `fileFailed`; errors of the closure.
    func add(_ login: Login, _ receive: () async throws -> Data) async throws -> String {
        let key = ObjectIdentifier(login)
        guard state.withLock({ $0.receiving.insert(key).inserted }) else {
            throw StudioError(
                .tooManyRequests, "another file is being uploaded; try again after that")
        }
        defer { state.withLock { _ = $0.receiving.remove(key) } }
        return try store(await receive(), login)
    }

    private func store(_ bytes: Data, _ login: Login) throws -> String {
        let hash = SHA256Digest(bytes: SHA256.hash(data: bytes)).hex
        let folder = try state.withLock { state in
            let folder = try state.folder ?? PrivateFolder(for: .edit)
            state.folder = folder
            return folder
        }
        // Outside the lock, so that other logins do not wait for the disk.
        let written = "\(folder.path)/\(SecretToken().text)"
        do {
            try bytes.write(to: URL(fileURLWithPath: written))
        } catch {
            try? FileManager.default.removeItem(atPath: written)
            throw HostError(
                .fileFailed, "a file of a parameter cannot be stored: \(written)",
                underlying: error)
        }
        let isFirst = try state.withLock { state in
            let isFirst = state.files[ObjectIdentifier(login)] == nil
            guard rename(written, "\(folder.path)/\(hash)") == 0 else {
                try? FileManager.default.removeItem(atPath: written)
                throw HostError(
                    .fileFailed, "a file of a parameter cannot be stored: \(folder.path)/\(hash)")
            }
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
        return hash
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
