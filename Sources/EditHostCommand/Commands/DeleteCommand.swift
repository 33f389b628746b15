// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The command `edithost delete`.
struct DeleteCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete photos and their edits from the library.",
        discussion: """
            Several photos are deleted in one transaction: either all of them or none. The \
            next prune moves their files to the library's trash, and a prune 30 days later \
            removes them.
            """,
        examples: """
            edithost delete 3f2a 9c41
            edithost delete --rating rejected
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let names = try assets.names
        let library = try libraryOptions.open(for: .collecting)
        let assets = try assets.assets(in: library, named: names, general)
        // Only the host can choose another frame in place of a burst's automatic pick.
        if assets.contains(where: { $0.burstSelectionTypes.contains(.autoPick) }) {
            _ = try await general.withHost(jobs: 1) { host in
                host.attach(to: library)
                return try await Self.delete(assets, from: library)
            }
        } else {
            _ = try await Self.delete(assets, from: library)
        }
        for asset in assets {
            try general.output.print(
                ["id": asset.localIdentifier],
                "\(asset.shortIdentifier)  deleted  \(asset.originalFilename)")
        }
    }

    private static func delete(
        _ assets: [Asset], from library: PhotoLibrary
    ) async throws -> ChangeToken {
        try await library.performChanges { try AssetChangeRequest.deleteAssets(assets) }
    }
}
