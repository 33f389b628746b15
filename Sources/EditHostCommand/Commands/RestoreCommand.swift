// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a library from a backup.",
        discussion: """
            The library is created at its default path or at the path given by --library, which \
            must not exist. Each file's hash is verified. Run the same command again to resume an \
            interrupted restore.
            """,
        examples: """
            edithost restore /media/disk/Photos.backup
            edithost restore /media/disk/Photos.backup --library New.editlibrary
            """)

    @Argument(
        help: ArgumentHelp("The backup's folder.", valueName: "from"), completion: .directory)
    var folder: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let output = general.output
        let (folder, path) = (folder, libraryOptions.path)
        try PhotoLibrary.requireOutsideOthers(path)
        try libraryOptions.makeParent()
        let report = try await output.copying("restoring", "copied") { progress in
            try PhotoLibrary.restore(from: folder, to: path, progress: progress)
        }
        try output.printResult(report, of: path, .restoration)
        try report.end()
    }
}
