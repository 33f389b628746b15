// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost delete`
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Take photographs and their edits out of the library.",
        discussion: """
            Several photographs are one change: all, or none. Their files go into the library's \
            trash when it is next pruned, and stay there for a while; see prune.
            """,
        examples: """
            edithost delete 3f2a 9c41
            """)

    @OptionGroup var photographs: ChangedAssets
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .collecting)
        let assets = try photographs.assets(in: library)
        try await library.performChanges { try AssetChangeRequest.deleteAssets(assets) }
        for asset in assets {
            try general.output.print(
                ["id": .string(asset.localIdentifier)],
                "\(asset.shortIdentifier)  deleted  \(asset.originalFilename)")
        }
    }
}
