// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost history`
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the states of a photograph, from the original on.",
        discussion: """
            The state that it is in is marked; those after it have been undone and can be done \
            again until the next edit.
            """,
        examples: """
            edithost history 3f2a
            """)

    @Argument(
        help: ArgumentHelp(
            "The asset's identifier, or a unique beginning of it.", valueName: "id"),
        completion: .asset)
    var id: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let asset = try library.asset(withIdentifierPrefix: id)
        let history = try library.history(ofAsset: asset.localIdentifier)
        let output = general.output
        for position in 0...history.states.count {
            try output.printJSON(history.json(ofPosition: position))
        }
        try output.printText(Self.table(history).lines)
    }

    private static func table(_ history: AssetHistory) -> TextTable {
        var table = TextTable(["", "state", "edit", "extension", "date"], rightColumns: [1])
        table.add([
            history.position == 0 ? "*" : "", "0", "original", "-",
            history.asset.addedDate.universalText,
        ])
        for state in history.states {
            table.add([
                state.position == history.position ? "*" : "", "\(state.position)",
                state.tip.map { ShortIdentifier.of($0.identifier) } ?? "-",
                state.tip?.author ?? "-", state.createdDate.universalText,
            ])
        }
        return table
    }
}

extension AssetHistory {
    /// A state: 0 is the original.
    func json(ofPosition position: Int) -> JSONValue {
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
        ]
    }
}
