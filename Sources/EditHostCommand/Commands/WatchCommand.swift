// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost watch`.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print changes to the library as they happen.",
        discussion: """
            For each change, including changes by other processes, one line per kind of event is \
            printed: what was inserted, trashed or removed, and whether edits, other data or the \
            contents of albums were updated. To list the changes after a line, pass its token to --since. Press Ctrl-C to \
            stop.
            """,
        examples: """
            edithost watch
            edithost watch --since start --no-wait --json
            """)

    @Option(
        help: ArgumentHelp(
            "First print the changes since this token.",
            discussion: """
                "start" is the earliest change still in the history. If the token has expired, \
                the command fails with status 65; list everything again.
                """,
            valueName: "token"),
        completion: .list(["start"]))
    var since: String?

    @Flag(help: "Print past changes and exit.")
    var noWait = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .following)
        // Changes are observed before the history is read, so that none is missed in between.
        let changes = try library.changes()
        let start = try token(in: library)
        var last = start
        for change in try library.fetchPersistentChanges(since: start) {
            try general.output.print(change, in: library)
            last = change.token
        }
        if noWait { return }
        general.output.message("watching from \(last); press Ctrl-C to stop")
        let output = general.output
        do {
            try await Interruption().run { [last] in
                for await change in changes where change.token > last {
                    try output.print(change.persistentChange, in: library)
                }
                throw CancellationError()
            }
        } catch is CancellationError {
            // Ctrl-C is the usual end and needs no message.
            throw CommandEnd(status: .interrupted)
        }
    }

    private func token(in library: PhotoLibrary) throws -> ChangeToken {
        switch since {
        case nil: return try library.currentChangeToken
        case "start": return try library.oldestChangeToken
        case let text?:
            if let token = ChangeToken(text) { return token }
            throw ValidationError(
                "\(text) is not a change token; use one printed by edithost watch, or start")
        }
    }
}

extension CommandOutput {
    /// Prints a change, with one line for each kind of event.
    fileprivate func print(_ change: PersistentChange, in library: PhotoLibrary) throws {
        let trashed = try library.assetsTrashed(by: change)
        let events = Dictionary(grouping: change.items) { ChangeEvent($0, trashed: trashed) }
        for (event, items) in events.sorted(by: { $0.key < $1.key }) {
            let ids = items.map(\.identifier)
            try print(
                [
                    "token": "\(change.token)", "kind": event.kind.rawValue,
                    "type": event.type.rawValue, "changed": event.changed.map(\.rawValue),
                    "ids": ids, "date": change.date.universalText,
                ],
                Self.line(change, event, ids))
        }
    }

    private static func line(
        _ change: PersistentChange, _ event: ChangeEvent, _ ids: [String]
    ) -> String {
        let shown = ids.prefix(5).map(ShortIdentifier.of).joined(separator: " ")
        let rest = ids.count > 5 ? " and \(ids.count - 5) more" : ""
        return
            "\(change.date.tableText)  \(ids.count.counted(event.type.rawValue)) \(event)  "
            + "\(shown)\(rest)  \(change.token)"
    }
}
