// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import RunnerHost

/// The root command `edithost` with its subcommands.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edithost",
        abstract: "Edit photos with extensions, without ever changing the originals.",
        discussion: """
            Photos are imported into a library and edited with extensions. Every photo can be \
            returned to any earlier state. The library is a folder, given by --library or \
            EDITHOST_LIBRARY; the default is $XDG_DATA_HOME/edithost/Photos.editlibrary. The first \
            import creates it.

            Name a photo by its identifier or a unique prefix of it. Name an extension by its \
            identifier or, if that is unique, by the last part of the identifier.

            Exit status: \(exitStatuses). check: 0 clean, 1 repairable, 2 damaged.
            """,
        version: version,
        examples: """
            edithost import ~/Pictures
            edithost edit 3f2a --with sepia --set intensity=0.7
            edithost export --all --to exported
            """,
        subcommands: [
            ImportCommand.self, ListCommand.self, ShowCommand.self, DumpCommand.self,
            ResourcesCommand.self,
            EditCommand.self, PreviewCommand.self, HistoryCommand.self, LogCommand.self,
            UndoCommand.self, RedoCommand.self, RevertCommand.self, EditsCommand.self,
            CopyEditsCommand.self, PresetCommand.self, VersionCommand.self,
            RerenderCommand.self, WorkCommand.self, ExportCommand.self,
            ApplyCommand.self, ImageCommand.self, FramesCommand.self, ConvertLiveCommand.self,
            FavoriteCommand.self,
            HideCommand.self, SetCommand.self, DeleteCommand.self, TrashCommand.self,
            AlbumCommand.self, KeywordCommand.self, MetadataCommand.self,
            WatchCommand.self, StudioCommand.self, ExtensionsCommand.self,
            StatusCommand.self, CheckCommand.self,
            PruneCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self,
        ])

    private static let exitStatuses = ExitStatus.allCases
        .map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")

    /// The version of the program; empty for `export` and `image`, which have their own `--version`.
    ///
    /// The parser would otherwise interpret that option as the program's, whenever another argument is invalid.
    private static var version: String {
        let command = CommandArguments.command(in: Array(CommandLine.arguments.dropFirst()))
        return ["export", "image"].contains(command) ? "" : HostVersion.current
    }
}
