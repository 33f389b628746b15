// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// `edithost list`
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the photographs, the earliest first.",
        discussion: "Photographs without a date come last.")

    @Option(help: ArgumentHelp("At most so many.", valueName: "number"))
    var limit: Int?

    @Flag(help: "Hidden photographs too.")
    var hidden = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("A --limit is at least 1.") }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        var options = FetchOptions()
        options.fetchLimit = limit ?? 0
        options.includeHiddenAssets = hidden
        let assets = try Asset.fetchAssets(in: library, options: options)
        let output = general.output
        for asset in assets { try output.printJSON(.object(asset.jsonMembers)) }
        try output.printText(assets.isEmpty ? ["no photographs"] : Self.table(of: assets).lines)
    }

    private static func table(of assets: FetchResult<Asset>) -> TextTable {
        var table = TextTable(["id", "size", "taken", "edited", "file"], rightColumns: [1])
        let identifiers = ShortIdentifier.all(of: assets.map(\.localIdentifier))
        for (asset, identifier) in zip(assets, identifiers) {
            table.add([
                identifier,
                PixelSize(width: asset.pixelWidth, height: asset.pixelHeight).description,
                asset.captureDate?.text ?? "-", asset.hasAdjustments ? "edited" : "-",
                asset.originalFilename,
            ])
        }
        return table
    }
}
