// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import JSONOutput
import Library

/// The command `edithost trash list`.
struct ListTrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the photos in the trash, most recently deleted first.",
        examples: """
            edithost trash list
            """)

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let assets = try library.trashedAssets()
        if general.output.isJSON {
            try assets.enumerateObjects { asset, _ in
                try general.output.printJSON(asset.trashRow)
            }
        } else {
            let found = try assets.elements()
            try general.output.printText(
                found.isEmpty ? ["the trash is empty"] : Self.table(of: found).lines)
        }
    }

    private static func table(of assets: [Asset]) -> TextTable {
        var table = TextTable(["id", "taken", "edited", "left", "file"])
        let identifiers = ShortIdentifier.all(of: assets.map(\.localIdentifier))
        for (asset, identifier) in zip(assets, identifiers) {
            table.add([
                identifier, asset.captureDate?.tableText ?? "-",
                asset.hasAdjustments ? "edited" : "-",
                asset.daysLeftInTrash.counted("day"), asset.originalFilename,
            ])
        }
        return table
    }
}

extension Asset {
    /// The number of days, rounded up, until a prune removes the asset; 0 if the next one does.
    fileprivate var daysLeftInTrash: Int {
        let days = ((removalDate?.timeIntervalSinceNow ?? 0) / 86_400).rounded(.up)
        // A clock that was set back does not increase the number.
        return Int(min(max(days, 0), Double(TrashPeriod.days)))
    }
}
