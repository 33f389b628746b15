// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the library to a folder, even while it is in use.",
        discussion: """
            Later backups to the same folder copy only new files. The states of earlier backups \
            are kept as snapshots until "backup prune" removes them. A backup can be read like a \
            library ("edithost list --library TO") but not changed; "edithost restore" turns it \
            into a library.
            """,
        examples: """
            edithost backup /media/disk/Photos.backup
            edithost backup list /media/disk/Photos.backup
            edithost backup prune /media/disk/Photos.backup --keep 7d,4w,12m
            """,
        subcommands: [
            CreateBackupCommand.self, ListBackupCommand.self, PruneBackupCommand.self,
        ], defaultSubcommand: CreateBackupCommand.self)
}
