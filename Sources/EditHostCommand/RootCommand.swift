// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost`, with all its commands.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edithost",
        abstract: "Edits photographs with plug-ins, and never loses the original.",
        discussion: """
            Photographs are imported into a library, edited with extensions, and can be taken back \
            to any earlier state. The library is a folder: --library says which, else \
            EDITHOST_LIBRARY, else $XDG_DATA_HOME/edithost/Photos.editlibrary. The first import \
            makes it.

            An asset is named by its identifier or a unique beginning of it; an extension by its \
            identifier or the unique last part of it.

            Exit status: 0 done; 1 some of several items failed, the others are done; 64 wrong \
            usage, unknown or bad parameter, ambiguous name; 65 bad input data, not a library; 66 \
            no such asset or file; 69 no such extension, or it cannot be used; 70 an extension \
            failed; 73 the library cannot be written; 74 standard output cannot be written; 75 busy, \
            try again; 130 cancelled; 141 no process reads the output. check: 0 clean, 1 repairable, \
            2 damage.
            """,
        version: version,
        examples: """
            edithost import ~/Pictures
            edithost edit 3f2a --with sepia --set intensity=0.7
            edithost export --all --to exported
            """,
        subcommands: [
            ImportCommand.self, ListCommand.self, ShowCommand.self, ResourcesCommand.self,
            EditCommand.self, PreviewCommand.self, HistoryCommand.self, UndoCommand.self,
            RedoCommand.self, RevertCommand.self, EditsCommand.self, CopyEditsCommand.self,
            PresetCommand.self, VersionCommand.self,
            RerenderCommand.self, ExportCommand.self,
            ImageCommand.self, FramesCommand.self, ConvertLiveCommand.self, FavoriteCommand.self,
            HideCommand.self, SetCommand.self, DeleteCommand.self,
            AlbumCommand.self, WatchCommand.self, ExtensionsCommand.self, CheckCommand.self,
            PruneCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self,
        ])

    /// `export` and `image` have a `--version` of their own. The parser would take that for a question about
    /// the program wherever the rest of the line is wrong, so there is no such question then.
    private static var version: String {
        CommandLine.arguments.contains { $0 == "export" || $0 == "image" }
            ? "" : HostVersion.current
    }
}
