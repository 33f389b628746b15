// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// `edithost history`
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the states of a photograph, starting with the original.",
        discussion: """
            The current state is marked. States after it were undone and can be redone until the \
            next edit. State 0 is the original.
            """,
        examples: """
            edithost history 3f2a
            edithost history 3f2a --diff
            edithost history 3f2a --diff --from 1 --to 3
            """)

    @Argument(
        help: ArgumentHelp(
            "The photograph's identifier, or a unique prefix of it.", valueName: "id"),
        completion: .asset)
    var id: String

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
        guard diff || from == nil && to == nil else {
            throw ValidationError("--from and --to need --diff; add it.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let asset = try library.asset(named: id)
        let history = try library.history(ofAsset: asset.localIdentifier)
        if diff { return try await printDifferences(of: history, in: library) }
        let output = general.output
        let values = try await general.values(
            of: history.states.compactMap(\.tip), of: history, in: library)
        for position in 0...history.states.count {
            try output.printJSON(history.json(ofPosition: position, values))
        }
        try output.printText(Self.table(history, values).lines)
    }

    private func printDifferences(
        of history: AssetHistory, in library: PhotoLibrary
    ) async throws {
        let count = history.states.count
        for state in [from, to].compactMap({ $0 }) where !(0...count).contains(state) {
            throw HostError(
                .badRequest, "there is no state \(state); the photograph has states 0 to \(count)",
                asset: history.asset.localIdentifier)
        }
        let pairs =
            from == nil && to == nil
            ? (0..<count).map { ($0, $0 + 1) } : [(from ?? 0, to ?? history.position)]
        let values = try await general.values(
            of: pairs.flatMap { history.chain(ofPosition: $0) + history.chain(ofPosition: $1) },
            of: history, in: library)
        let output = general.output
        for (old, new) in pairs {
            let difference = ChainDifference(
                from: history.chain(ofPosition: old), to: history.chain(ofPosition: new))
            try output.printJSON([
                "id": .string(history.asset.localIdentifier), "from": .integer(old),
                "to": .integer(new), "changes": difference.json(values),
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
            history.asset.addedDate.universalText, "",
        ])
        for state in history.states {
            table.add([
                state.position == history.position ? "*" : "", "\(state.position)",
                state.tip.map { ShortIdentifier.of($0.identifier) } ?? "-",
                state.tip?.author ?? "-", state.createdDate.universalText,
                state.tip.flatMap { values[$0.identifier] }?.words ?? "",
            ])
        }
        return table
    }
}

extension AssetHistory {
    /// Returns the JSON of a state. State 0 is the original.
    func json(ofPosition position: Int, _ values: [String: EditValues]) -> JSONValue {
        let state = position == 0 ? nil : states[position - 1]
        return [
            "id": .string(asset.localIdentifier),
            "edit": JSONValue(state?.tip?.identifier),
            "extension": JSONValue(state?.tip?.editingExtension?.identifier),
            "state": .integer(position),
            "error": nil,
            "isCurrent": .boolean(position == self.position),
            "edits": .array((state?.chain ?? []).map { .string($0.identifier) }),
            "date": .string((state?.createdDate ?? asset.addedDate).universalText),
            "values": state?.tip.flatMap { values[$0.identifier] }?.json ?? .null,
        ]
    }

    /// Returns the edits of a state; empty for the original and for an invalid state.
    fileprivate func chain(ofPosition position: Int) -> [Edit] {
        states.first { $0.position == position }?.chain ?? []
    }
}

/// `edithost undo`
struct UndoCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last edit of photographs.",
        discussion: """
            It can be redone until the next edit. Several photographs are one change: all or none \
            are undone.
            """,
        examples: """
            edithost undo 3f2a
            edithost undo --edited-by sepia
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let move = HistoryMovement(
            verb: "undoing", unmoved: "nothing to undo: this is the original",
            canMove: \.canUndo
        ) { try await $0.undo($1, in: $2, prepared: $3) }
        try await move.run(assets, libraryOptions, general)
    }
}

/// `edithost redo`
struct RedoCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo undone edits.",
        discussion: """
            A new edit discards undone edits. Several photographs are one change: all or none are \
            redone.
            """,
        examples: """
            edithost redo 3f2a
            edithost redo --all
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let move = HistoryMovement(
            verb: "redoing", unmoved: "nothing to redo: no edit was undone",
            canMove: \.canRedo
        ) { try await $0.redo($1, in: $2, prepared: $3) }
        try await move.run(assets, libraryOptions, general)
    }
}

/// `edithost revert`
struct RevertCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Revert photographs to their originals.",
        discussion: """
            Several photographs are one change: all or none are reverted. The edits can be redone \
            until the next edit.
            """,
        examples: """
            edithost revert 3f2a
            edithost revert 3f2a 9c41
            edithost revert --album Summer
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let move = HistoryMovement(
            verb: "reverting", unmoved: "nothing to revert: this is the original",
            canMove: \.canUndo
        ) { host, identifiers, library, _ in try await host.revert(identifiers, in: library) }
        try await move.run(assets, libraryOptions, general)
    }
}

/// The work of moving photographs to other states of their history, in one transaction.
private struct HistoryMovement: Sendable {
    typealias Move =
        @Sendable (ExtensionHost, [String], PhotoLibrary, (String) -> Void) async throws
        -> [HistoryMove]

    /// The verb for progress messages, as a participle.
    let verb: String
    /// The message for a photograph that is not moved.
    let unmoved: String
    let canMove: @Sendable (AssetHistory) -> Bool
    let move: Move

    func run(
        _ assets: AssetSelection, _ libraryOptions: LibraryOptions, _ general: GeneralOptions
    ) async throws {
        let output = general.output
        let library = try libraryOptions.open(for: .changing)
        var identifiers = try assets.identifiers(in: library)
        // A filter selects only photographs that can be moved.
        if !assets.areNamed {
            identifiers = try identifiers.filter { canMove(try library.history(ofAsset: $0)) }
        }
        let wanted = identifiers
        output.progress.begin(verb, of: wanted.count)
        defer { output.progress.end() }
        let moves = try await general.withHost(jobs: GeneralOptions.jobs(nil, for: wanted.count)) {
            host in
            try await Interruption().run {
                try await move(host, wanted, library) { _ in output.progress.advance() }
            }
        }
        output.progress.end()
        for move in moves { try output.print(move, unmoved: unmoved) }
        if moves.isEmpty { output.message("nothing to do") }
    }
}

extension Output {
    /// Prints the state of an asset after an undo, redo or revert.
    func print(_ move: HistoryMove, unmoved: String) throws {
        let history = move.history
        let identifier = history.asset.localIdentifier
        let tip = history.chain.last
        let short = ShortIdentifier.of(identifier)
        let undone = history.states.count - history.position
        let unmoved =
            undone > 0
            ? "\(unmoved); \"redo\" restores \(undone == 1 ? "1 state" : "\(undone) states")"
            : unmoved
        try print(
            [
                "id": .string(identifier),
                "edit": JSONValue(tip?.identifier),
                "extension": JSONValue(tip?.editingExtension?.identifier),
                "state": .integer(history.position),
                "error": nil,
            ],
            move.hasMoved
                ? "\(short)  now in state \(history.position) of \(history.states.count)"
                    + (tip.map { ", last edited with \($0.author)" } ?? ", the original")
                : "\(short)  \(unmoved)")
        if isJSON, !move.hasMoved { message("\(identifier): \(unmoved)") }
    }
}
