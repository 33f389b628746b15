// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Glibc
import Synchronization

extension PhotoLibrary {
    /// Where the user's library is: `EDITHOST_LIBRARY` says; else it is
    /// `$XDG_DATA_HOME/edithost/Photos.editlibrary`, and `XDG_DATA_HOME` is `~/.local/share` by
    /// default. The command line's rule, without its `--library`.
    package static func defaultPath(environment: [String: String]) -> String {
        if let path = environment["EDITHOST_LIBRARY"], !path.isEmpty { return path }
        return standardPath(environment)
    }

    private static func standardPath(_ environment: [String: String]) -> String {
        "\(UserFolders.data(environment: environment))/Photos.editlibrary"
    }

    /// Makes the folder that the user's library is to lie in, where nothing else says where that
    /// is; any other is the user's to make.
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

    /// The user's library, at ``defaultPath(environment:)`` by the environment of this process; made
    /// where there is none yet. It is opened once, and the same for the whole process; do not close
    /// it before the program ends. Where it cannot be opened, the next call tries again.
    ///
    /// - Throws: `LibraryError`, as ``openOrCreate(at:options:)``.
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

/// The user's own folders, as the XDG Base Directory Specification names them.
package enum UserFolders {
    /// `$XDG_DATA_HOME/edithost`, by default `~/.local/share/edithost`.
    package static func data(environment: [String: String]) -> String {
        folder("XDG_DATA_HOME", ".local/share", environment)
    }

    /// `$XDG_CONFIG_HOME/edithost`, by default `~/.config/edithost`.
    package static func configuration(environment: [String: String]) -> String {
        folder("XDG_CONFIG_HOME", ".config", environment)
    }

    /// A relative path is ignored, as the specification asks.
    private static func folder(
        _ variable: String, _ usual: String, _ environment: [String: String]
    ) -> String {
        if let folder = environment[variable], folder.hasPrefix("/") { return "\(folder)/edithost" }
        return "\(home(environment))/\(usual)/edithost"
    }

    /// `$HOME`, or what the system knows where that is not set, as in services.
    private static func home(_ environment: [String: String]) -> String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "" }
        return String(cString: home)
    }
}
