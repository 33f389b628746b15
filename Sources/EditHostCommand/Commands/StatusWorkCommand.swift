// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost work status`.
struct StatusWorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the progress of a plan.",
        discussion: """
            The progress is read from the results in the folder. The command needs neither the \
            library nor the engine, so it can run on any machine.
            """,
        examples: """
            edithost work status /shared/work
            edithost work status /shared/work --watch
            edithost work status /shared/work --pending
            """)

    @Argument(help: "The folder of the plan.", completion: .directory)
    var folder: String

    @Flag(help: "Show the progress whenever it has changed, until every shard has ended.")
    var watch = false

    @Flag(help: "Print only the numbers of the shards that are left, such as 3,9-20.")
    var pending = false

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let output = general.output
        let (path, watch, pending) = (folder, watch, pending)
        try await Interruption().run {
            var reader = try WorkStatusReader(at: path)
            var shown: WorkStatus?
            while true {
                let status = try reader.read()
                if status != shown {
                    try output.print(status, of: path, onlyPending: pending)
                    shown = status
                }
                if !watch || status.isOver { return }
                try await Task.sleep(for: .seconds(2))
            }
        }
    }
}
