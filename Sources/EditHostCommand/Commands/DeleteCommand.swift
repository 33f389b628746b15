// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost delete`.
struct DeleteCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Move photos to the trash.",
        discussion: """
            Photos in the trash keep their edits, keywords and albums, and can be restored with \
            "trash restore". The first prune after \(TrashPeriod.days) days removes \
            them from the library. Several photos are deleted in one transaction: either all of \
            them or none.
            """,
        examples: """
            edithost delete 3f2a 9c41
            edithost delete --rating rejected
            edithost delete 3f2a --permanently
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Remove the photos and their edits for good, without the trash.")
    var permanently = false

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let names = try assets.names
        let library = try libraryOptions.open(for: .collecting)
        let assets = try await assets.assets(in: library, named: names, general)
        if permanently {
            try confirmation.confirmRemoval(of: assets.count, readsList: named.ids.contains("-"))
        } else if assets.count > 1 {
            try confirmation.confirm(
                "Move \(assets.count.counted("photo")) to the trash?",
                readsList: named.ids.contains("-"))
        }
        try await general.commit(changing: assets, in: library) { [permanently] in
            permanently
                ? try AssetChangeRequest.removeAssets(assets)
                : try AssetChangeRequest.deleteAssets(assets)
        }
        for asset in assets {
            try general.output.print(
                ["id": asset.localIdentifier],
                "\(asset.shortIdentifier)  \(permanently ? "removed" : "deleted")  "
                    + asset.originalFilename)
        }
    }
}
