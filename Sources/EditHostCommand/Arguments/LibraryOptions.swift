// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Library

/// The option that selects the library.
///
/// Commands that use no library have it as a hidden group, and ignore it.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The library's folder.",
            discussion: """
                Default: EDITHOST_LIBRARY or, if it is not set, \
                $XDG_DATA_HOME/edithost/Photos.editlibrary.
                """,
            valueName: "path"),
        completion: .directory)
    var library: String?

    /// The access that a command needs to the library.
    enum Access {
        /// Reads only; the library may be on a read-only file system.
        case reading
        /// Reads for a long time and observes changes of other processes.
        case following
        /// Copies the database and the files unchanged.
        case copying
        /// Changes the library.
        case changing
        /// Changes the library, unless it has an older format.
        case changingCurrentFormat
        /// Frees space; on a full disk, the library's reserve is released.
        case collecting
        /// Changes the library, creating it if necessary.
        case making
    }

    /// The path of the library's folder.
    var path: String {
        library ?? PhotoLibrary.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// Opens the library.
    ///
    /// - Parameter authorization: A closure that is called before each commit and can throw to prevent it.
    /// - Throws: `LibraryError`.
    func open(
        for access: Access, authorization: (@Sendable (ChangeSummary) throws -> Void)? = nil
    ) throws -> PhotoLibrary {
        var options = PhotoLibrary.Options()
        options.isReadOnly = [.reading, .following, .copying].contains(access)
        options.copiesOlderFormats = access == .reading
        options.acceptsOlderFormats = access == .copying
        options.upgradesOlderFormats = access != .changingCurrentFormat
        options.usesReserve = access == .collecting
        options.authorization = authorization
        options.command = CommandArguments.commandName(in: Array(CommandLine.arguments.dropFirst()))
        options.groupsChanges = true
        let library =
            access == .making
            ? try openOrMake(options) : try PhotoLibrary.open(at: existingPath, options: options)
        OpenLibraries.add(library)
        return library
    }

    /// Opens the library for reading; returns `nil` if an import would create it.
    ///
    /// - Throws: `LibraryError`.
    func openIfCreated() throws -> PhotoLibrary? {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        let isFree = names?.isEmpty ?? !FileManager.default.fileExists(atPath: path)
        return isFree ? nil : try open(for: .reading)
    }

    /// The path of the library's folder, or of another file in its place.
    ///
    /// - Throws: `LibraryError` if nothing exists there.
    var existingPath: String {
        get throws {
            guard FileManager.default.fileExists(atPath: path) else {
                throw LibraryError(
                    .notALibrary, "there is no library yet; run edithost import to create one",
                    path: path)
            }
            return path
        }
    }

    /// Creates the parent folder of the standard library.
    ///
    /// - Throws: `LibraryError`.
    func makeParent() throws {
        try PhotoLibrary.makeParentOfStandardLibrary(
            path, environment: ProcessInfo.processInfo.environment)
    }

    /// Opens a library, or creates one if the folder is missing or empty. Nothing is written to any other
    /// folder.
    private func openOrMake(_ options: PhotoLibrary.Options) throws -> PhotoLibrary {
        do {
            return try PhotoLibrary.open(at: path, options: options)
        } catch let error as LibraryError where error.code == .notALibrary {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if exists, !isFolder.boolValue { throw error }
            try makeParent()
            do {
                return try PhotoLibrary.create(at: path, options: options)
            } catch let second as LibraryError where second.code == .alreadyExists {
                throw error
            }
        }
    }
}
