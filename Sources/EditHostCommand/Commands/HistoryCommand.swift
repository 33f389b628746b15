// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost history`.
struct HistoryCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the states of photos, starting with the original.",
        discussion: """
            The current state is marked. States after it were undone and can be redone until the \
            photo is edited again. State 0 is the original.
            """,
        examples: """
            edithost history 3f2a
            edithost history 3f2a --diff
            edithost history 3f2a --diff --from 1 --to 3
            edithost history --edited --diff --json
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(
        help: "Show what each state changed; with --from or --to, compare two states.")
    var diff = false
    @Option(
        help: ArgumentHelp(
            "Compare from this state (default: 0, the original).", valueName: "state"))
    var from: Int?
    @Option(
        help: ArgumentHelp(
            "Compare to this state (default: the current state).",
            valueName: "state"))
    var to: Int?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try assets.validate()
        guard diff || from == nil && to == nil else {
            throw ValidationError("--from and --to need --diff; add it.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try await assets.identifiers(in: library)
        guard identifiers.count == 1 || from == nil && to == nil else {
            throw CommandEnd(
                status: .usage,
                message: "--from and --to compare two states of one photo; select only one")
        }
        if identifiers.isEmpty { try general.output.printText(["no photos"]) }
        try await general.withValues(in: library) { reader in
            for (index, identifier) in identifiers.enumerated() {
                let history = try unlessRemoved(among: identifiers) {
                    try library.history(ofAsset: identifier)
                }
                guard let history else { continue }
                if identifiers.count > 1 {
                    try general.output.printText(history.asset.heading(isFirst: index == 0))
                }
                if diff {
                    try await printDifferences(of: history, reader)
                } else {
                    try await printStates(of: history, reader)
                }
            }
        }
    }

    private func printStates(of history: AssetHistory, _ reader: EditValueReader) async throws {
        let output = general.output
        let values = try await reader.values(
            of: history.states.compactMap(\.tip), of: history)
        for position in 0...history.states.count {
            try output.printJSON(history.row(ofPosition: position, values))
        }
        try output.printText(Self.table(history, values).lines)
    }

    private func printDifferences(
        of history: AssetHistory, _ reader: EditValueReader
    ) async throws {
        let count = history.states.count
        for state in [from, to].compactMap({ $0 }) where !(0...count).contains(state) {
            throw HostError(
                .badRequest, "there is no state \(state); the photo has states 0 to \(count)",
                asset: history.asset.localIdentifier)
        }
        let pairs =
            from == nil && to == nil
            ? (0..<count).map { ($0, $0 + 1) } : [(from ?? 0, to ?? history.position)]
        let values = try await reader.values(
            of: pairs.flatMap { history.chain(ofPosition: $0) + history.chain(ofPosition: $1) },
            of: history)
        let output = general.output
        for (old, new) in pairs {
            let difference = EditStackDifference(
                from: history.chain(ofPosition: old), to: history.chain(ofPosition: new))
            try output.printJSON([
                "id": history.asset.localIdentifier, "from": old, "to": new,
                "changes": difference.rows(values),
            ])
            let lines = difference.lines(values)
            try output.printText(
                ["state \(old) -> \(new)"]
                    + (lines.isEmpty ? ["  nothing"] : lines.map { "  \($0)" }))
        }
        if pairs.isEmpty { output.message("no edits: this is the original") }
    }

    private static func table(
        _ history: AssetHistory, _ values: [String: EditValues]
    ) -> TextTable {
        var table = TextTable(
            ["", "state", "edit", "extension", "date", "values"], rightColumns: [1])
        table.add([
            history.position == 0 ? "*" : "", "0", "original", "-",
            history.asset.addedDate.tableText, "",
        ])
        for state in history.states {
            table.add([
                state.position == history.position ? "*" : "", "\(state.position)",
                state.tip.map { ShortIdentifier.of($0.identifier) } ?? "-",
                state.tip?.author ?? "-", state.createdDate.tableText,
                state.tip.flatMap { values[$0.identifier] }?.words ?? "",
            ])
        }
        return table
    }
}
