// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library

extension PhotoLibrary {
    /// Rejects a folder inside this library, another one or a backup.
    func requireOutside(_ folder: String) throws {
        guard FileIdentity.isWithin(folder, path) else {
            return try Self.requireOutsideLibraries(folder)
        }
        throw Self.inside(folder)
    }

    /// Rejects the path of a file or folder inside any library or backup.
    ///
    /// - Throws: `HostError` with `badRequest`.
    package static func requireOutsideLibraries(_ path: String) throws {
        guard try isWithinLibrary(path) else { return }
        throw inside(path)
    }

    /// Rejects an open folder inside any library or backup. Unlike its path, it cannot be redirected after the
    /// check.
    ///
    /// - Throws: `HostError` with `badRequest`.
    static func requireOutsideLibraries(_ folder: Folder) throws {
        guard try isWithinLibrary(folder) else { return }
        throw inside(folder.path)
    }

    private static func inside(_ path: String) -> HostError {
        HostError(
            .badRequest, "\(path) is inside a library or a backup; choose another folder")
    }
}
