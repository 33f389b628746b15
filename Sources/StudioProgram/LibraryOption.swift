// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Library

/// The option that selects the library, as in the other commands.
struct LibraryOption: ParsableArguments {
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

    /// The path of the library's folder.
    var path: String {
        library ?? PhotoLibrary.defaultPath(environment: ProcessInfo.processInfo.environment)
    }

    /// Opens the library, and creates it if there is none.
    ///
    /// - Throws: `LibraryError`.
    func open(readOnly: Bool) throws -> PhotoLibrary {
        var options = PhotoLibrary.Options()
        options.isReadOnly = readOnly
        // Each change is an entry of the journal.
        options.command = "studio"
        if readOnly { return try PhotoLibrary.open(at: path, options: options) }
        try PhotoLibrary.makeParentOfStandardLibrary(
            path, environment: ProcessInfo.processInfo.environment)
        return try PhotoLibrary.openOrCreate(at: path, options: options)
    }
}
