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
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of files of a login. Beyond it, the oldest is forgotten.
    init(limit: Int) { self.limit = limit }

    /// Stores a file until the login ends.
    ///
    /// - Returns: The SHA-256 of the bytes, in hexadecimal.
    /// - Throws: `HostError` with `fileFailed`.
    func add(_ bytes: Data, _ login: Login) throws -> String {
        let hash = SHA256Digest(bytes: SHA256.hash(data: bytes)).hex
        let isFirst = try state.withLock { state in
            let isFirst = state.files[ObjectIdentifier(login)] == nil
            let folder = try state.folder ?? PrivateFolder(for: .edit)
            state.folder = folder
            let path = "\(folder.path)/\(hash)"
            do {
                try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw HostError(
                    .fileFailed, "a file of a parameter cannot be stored: \(path)",
                    underlying: error)
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
