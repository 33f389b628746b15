// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Glibc
import Synchronization

extension PhotoLibrary {
    /// Returns the path of the user's library: `EDITHOST_LIBRARY` if set, otherwise
    /// `$XDG_DATA_HOME/edithost/Photos.editlibrary`. `XDG_DATA_HOME` defaults to `~/.local/share`.
    /// The command line uses the same rule unless `--library` is given.
    package static func defaultPath(environment: [String: String]) -> String {
        if let path = environment["EDITHOST_LIBRARY"], !path.isEmpty { return path }
        return standardPath(environment)
    }

    private static func standardPath(_ environment: [String: String]) -> String {
        "\(UserFolders.data(environment: environment))/Photos.editlibrary"
    }

    /// Creates the parent folder of the user's library if `path` is the standard one. Parents of
    /// other paths must exist.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    package static func makeParentOfStandardLibrary(
        _ path: String, environment: [String: String]
    ) throws {
        guard path == standardPath(environment) else { return }
        let parent = path.pathParts.folder
        do {
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw LibraryError(
                .cannotWrite, "the folder for the library cannot be made", path: parent,
                underlying: error)
        }
    }

    private static let theShared = Mutex<PhotoLibrary?>(nil)

    /// The user's library at ``defaultPath(environment:)``, created if it does not exist. It is
    /// opened once for the whole process and must not be closed. If opening fails, the next access
    /// retries.
    ///
    /// - Throws: The same errors as ``openOrCreate(at:options:)``, and `cannotWrite`.
    public static var shared: PhotoLibrary {
        get throws {
            try theShared.withLock { shared in
                if let shared { return shared }
                let environment = ProcessInfo.processInfo.environment
                let path = defaultPath(environment: environment)
                try makeParentOfStandardLibrary(path, environment: environment)
                let library = try openOrCreate(at: path)
                shared = library
                return library
            }
        }
    }
}
