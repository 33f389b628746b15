// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import JSONOutput
import Library

/// The command `edithost list`.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List photos, earliest first.",
        discussion: """
            Photos without a date come last; an album is listed in its own order. A \
            photo must match all filters. For a burst, only its representative and the \
            picked photos are listed.
            """,
        examples: """
            edithost list --limit 20 --sort added:desc
            edithost list --favorite --since 2024-01-01 --until 2024-12-31
            edithost list --album Summer --edited
            edithost list --near 52.52,13.40,10 --text beach
            """)

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup var order: OrderOptions

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        var options = try await filters.fetchOptions(in: library, general)
        order.ask(&options)
        try Self.printAll(filters.fetch(in: library, options), to: general.output)
    }

    /// Prints the assets of a fetch.
    ///
    /// - Throws: `LibraryError`; `CommandEnd`.
    static func printAll(_ assets: FetchResult<Asset>, to output: CommandOutput) throws {
        try assets.load()
        guard output.isJSON else {
            let lines = try lines(of: assets)
            return try output.printText(lines)
        }
        try assets.enumerateObjects { asset, _ in
            try output.printJSON(asset.row)
        }
    }

    private static func lines(of assets: FetchResult<Asset>) throws -> [String] {
        var found: [Asset] = []
        try assets.enumerateObjects { asset, _ in found.append(asset) }
        return found.isEmpty ? ["no photos"] : table(of: found).lines
    }

    private static func table(of assets: [Asset]) -> TextTable {
        var table = TextTable(["id", "size", "taken", "edited", "file"], rightColumns: [1])
        let identifiers = ShortIdentifier.all(of: assets.map(\.localIdentifier))
        for (asset, identifier) in zip(assets, identifiers) {
            table.add([
                identifier,
                PixelSize(width: asset.pixelWidth, height: asset.pixelHeight).description,
                asset.captureDate?.tableText ?? "-", asset.hasAdjustments ? "edited" : "-",
                asset.originalFilename,
            ])
        }
        return table
    }
}
