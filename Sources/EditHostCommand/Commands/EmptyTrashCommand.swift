// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Library

/// The command `edithost trash empty`.
struct EmptyTrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty",
        abstract: "Remove photos in the trash and their edits for good.",
        discussion: """
            Without identifiers, all photos in the trash are removed. The next prune moves their files to the library's folder "trash", and a prune \
            \(TrashPeriod.days) days later removes them.
            """,
        examples: """
            edithost trash empty
            edithost trash empty --older-than 7
            edithost trash empty 3f2a 9c41
            """)

    @Argument(
        help: ArgumentHelp(
            "Identifiers of photos in the trash, or unique prefixes of them; - reads them from "
                + "standard input, the first word of each line.", valueName: "id"),
        completion: .trashedAsset)
    var ids: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove only photos deleted more than this many days ago.", valueName: "days"))
    var olderThan: Double?

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if olderThan != nil, !ids.isEmpty {
            throw ValidationError("Give identifiers or --older-than, not both.")
        }
        if let olderThan, !(0.0...1e6).contains(olderThan) {
            throw ValidationError("--older-than must be a number of days, from 0 to 1000000.")
        }
    }

    func run() async throws {
        let names = try StandardInput.filling(ids)
        let library = try libraryOptions.open(for: .collecting)
        let date = olderThan.map { Date(timeIntervalSinceNow: -$0 * 86_400) }
        let assets =
            ids.isEmpty
            ? try library.trashedAssets(before: date).elements()
            : try library.trashedAssets(named: names)
        try confirmation.confirmRemoval(of: assets.count, readsList: ids.contains("-"))
        try await library.performChanges { try AssetChangeRequest.emptyTrash(of: assets) }
        // Another process may have restored some while the question was asked.
        var options = FetchOptions.everything
        options.predicate = .text(.localIdentifier, .oneOf(assets.map(\.localIdentifier)))
        let left = Set(try Asset.fetchAssets(in: library, options: options).localIdentifiers())
        for asset in assets where !left.contains(asset.localIdentifier) {
            try general.output.print(
                ["id": asset.localIdentifier],
                "\(asset.shortIdentifier)  removed  \(asset.originalFilename)")
        }
    }
}
