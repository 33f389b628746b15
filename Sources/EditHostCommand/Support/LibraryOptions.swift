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
                Without it EDITHOST_LIBRARY says, else it is \
                $XDG_DATA_HOME/edithost/Photos.editlibrary.
                """,
            valueName: "path"),
        completion: .directory)
    var library: String?

    /// What a command does with the library.
    enum Access {
        /// It is only read, and may lie where nothing can be written.
        case reading
        /// It is read, however damaged it is.
        case checking
        /// It is changed.
        case changing
        /// Space is freed in it: where the disk is full, what it keeps in reserve is given up.
        case collecting
        /// It is changed, and made where there is none.
        case making
    }

    /// The library's folder.
    var path: String {
        if let library { return library }
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["EDITHOST_LIBRARY"], !path.isEmpty { return path }
        return Self.standardPath(environment)
    }

    private static func standardPath(_ environment: [String: String]) -> String {
        "\(HostConfiguration.userDataFolder(environment: environment))/Photos.editlibrary"
    }

    /// Opens the library.
    ///
    /// - Parameter authorization: asked before every change is committed.
    /// - Throws: `LibraryError`.
    func open(
        for access: Access, authorization: (@Sendable (ChangeSummary) throws -> Void)? = nil
    ) throws -> PhotoLibrary {
        var options = PhotoLibrary.Options()
        options.isReadOnly = access == .reading || access == .checking
        options.checksAfterUncleanClose = access != .checking
        options.usesReserve = access == .collecting
        options.authorization = authorization
        guard access == .making else {
            guard FileManager.default.fileExists(atPath: path) else {
                throw LibraryError(
                    .notALibrary, "there is no library yet; the first import makes it", path: path)
            }
            return try PhotoLibrary.open(at: path, options: options)
        }
        return try openOrMake(options)
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

    /// Makes the folder around the standard library; any other is the user's to make.
    private func makeParent() throws {
        guard path == Self.standardPath(ProcessInfo.processInfo.environment) else { return }
        let parent = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw LibraryError(
                .cannotWrite, "the folder for the library cannot be made", path: parent,
                underlying: error)
        }
    }
}
