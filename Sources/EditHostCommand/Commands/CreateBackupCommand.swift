// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// The command `edithost backup create`, the default of `edithost backup`.
struct CreateBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Back up the library to a folder. This is the default.",
        discussion: """
            Each backup adds a snapshot. Presets and config.json are copied, too. If a backup is interrupted, the folder still contains a \
            complete backup, either the new one or the previous one. Referenced originals are not \
            included.
            """,
        examples: """
            edithost backup create /media/disk/Photos.backup
            edithost backup create --verify /media/disk/Photos.backup
            """)

    @Argument(
        help: ArgumentHelp(
            "The backup's folder: new, empty, or with this library's last backup.",
            valueName: "to"),
        completion: .directory)
    var folder: String

    @Flag(help: "Read the whole backup afterwards and verify each file's hash.")
    var verify = false

    @Flag(
        help: ArgumentHelp(
            "Continue the backup of another copy of the library.",
            discussion: """
                The copies have diverged, for example after a restore on another computer. The \
                snapshots stay, and the other copy can no longer back up to this folder.
                """))
    var fork = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .copying)
        let output = general.output
        let folder = folder
        let configuration = GeneralOptions.standardConfiguration.configurationFolder
        // The folder is not accessed by any other process until it has been verified.
        let backup = try library.backup(at: folder, takingOver: fork)
        let report = try await output.copying("backing up", "copied") {
            try backup.run(settings: configuration, progress: $0)
        }
        var (verified, failure): (BackupVerificationResult?, (any Error)?) = (nil, nil)
        if verify {
            do {
                verified = try await BackupVerification(
                    backup: backup, folder: folder, general: general
                ).run()
            } catch {
                // Copied and failed files are reported even if the backup fails.
                failure = error
            }
        }
        try output.printResult(report, of: folder, .backup, verified)
        if let failure { throw failure }
        guard verified?.isWhole ?? true else {
            throw CommandEnd(
                status: .damage,
                message: "\(folder) is not a complete backup; see the messages above")
        }
        try report.end()
    }
}
