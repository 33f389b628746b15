// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost trash restore`.
struct RestoreTrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore photos from the trash.",
        discussion: """
            The photos have the edits, keywords, albums and other properties that they had \
            before. Several photos are restored in one transaction: either all of them or none.
            """,
        examples: """
            edithost trash restore 3f2a 9c41
            edithost trash restore --all
            """)

    @Argument(
        help: ArgumentHelp(
            "Identifiers of photos in the trash, or unique prefixes of them; - reads them from "
                + "standard input, the first word of each line.", valueName: "id"),
        completion: .trashedAsset)
    var ids: [String] = []

    @Flag(help: "All photos in the trash.")
    var all = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard all == ids.isEmpty else {
            throw ValidationError("Give identifiers of photos in the trash, or --all.")
        }
    }

    func run() async throws {
        let names = try StandardInput.filling(ids)
        let library = try libraryOptions.open(for: .collecting)
        let assets =
            all ? try library.trashedAssets().elements() : try library.trashedAssets(named: names)
        try await general.commit(changing: assets, in: library) {
            try AssetChangeRequest.restoreAssets(assets)
        }
        for asset in assets {
            try general.output.print(
                ["id": asset.localIdentifier],
                "\(asset.shortIdentifier)  restored  \(asset.originalFilename)")
        }
    }
}
