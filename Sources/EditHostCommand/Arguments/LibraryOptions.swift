// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Library

/// Which library a command works on.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The library's folder.",
            discussion: """
                Default: EDITHOST_LIBRARY, otherwise $XDG_DATA_HOME/edithost/Photos.editlibrary.
                """,
            valueName: "path"),
        completion: .directory)
    var library: String?

    /// What a command does with the library.
    enum Access {
        /// It is only read, and may lie where nothing can be written.
        case reading
        /// It is read for a long time, and changes of others are reported.
        case following
        /// Its database and files are copied as they are.
        case copying
        /// It is changed.
        case changing
        /// Space is freed in it: where the disk is full, what it keeps in reserve is given up.
        case collecting
        /// It is changed, and made where there is none.
        case making
    }

    /// The library's folder.
    var path: String {
        library ?? PhotoLibrary.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// Opens the library.
    ///
    /// - Parameter authorization: asked before every change is committed.
    /// - Throws: `LibraryError`.
    func open(
        for access: Access, authorization: (@Sendable (ChangeSummary) throws -> Void)? = nil
    ) throws -> PhotoLibrary {
        var options = PhotoLibrary.Options()
        options.isReadOnly = [.reading, .following, .copying].contains(access)
        options.copiesOlderFormats = access == .reading
        options.takesOlderFormats = access == .copying
        options.usesReserve = access == .collecting
        options.authorization = authorization
        let library =
            access == .making
            ? try openOrMake(options) : try PhotoLibrary.open(at: existingPath, options: options)
        OpenLibraries.add(library)
        return library
    }

    /// The library's folder, or something else in its place.
    ///
    /// - Throws: `LibraryError` where there is nothing.
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

    /// Makes the folder that the library's is to lie in, where it is the standard one.
    ///
    /// - Throws: `LibraryError`.
    func makeParent() throws {
        try PhotoLibrary.makeParentOfStandardLibrary(
            path, environment: ProcessInfo.processInfo.environment)
    }

    /// An empty folder becomes a library too; in any other, nothing is written.
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
