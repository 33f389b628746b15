// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// `edithost extensions replace`
struct ReplaceExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace",
        abstract: "Give the edits of one extension to another one.",
        discussion: """
            For an extension that is gone, or has a successor. The new one has to take each recipe; \
            recipes that its manifest upgrades are written anew, others stay as they are. The \
            photographs are drawn afresh, as one change, which undo takes back.
            """,
        examples: """
            edithost extensions replace org.example.old org.example.new
            edithost extensions replace old new --keep-going
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension that made the edits, installed or not: its identifier, or the last part of it.",
            valueName: "old"),
        completion: .editor)
    var old: String

    @Argument(
        help: ArgumentHelp("The extension that takes them.", valueName: "new"),
        completion: .installedExtension)
    var new: String

    @OptionGroup var options: ReplacementOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws { try await options.run(old, new, libraryOptions, general) }
}

/// `edithost extensions upgrade`
struct UpgradeExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Have an extension write its older recipes anew, in the format of today.",
        discussion: """
            Those of the formats that its manifest upgrades. It is an edit of each photograph, as one \
            change: undo goes back to the old recipes.
            """,
        examples: """
            edithost extensions upgrade look
            """)

    @Argument(
        help: ArgumentHelp("The extension.", valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var options: ReplacementOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws { try await options.run(name, nil, libraryOptions, general) }
}

/// How edits are given to another extension.
struct ReplacementOptions: ParsableArguments {
    @Flag(help: "Commit each photograph's edits by themselves, and go on after a failure.")
    var keepGoing = false

    /// Gives all edits of an extension to another one.
    ///
    /// - Parameter new: nil: to itself.
    func run(
        _ old: String, _ new: String?, _ libraryOptions: LibraryOptions, _ general: GeneralOptions
    ) async throws {
        let cancellation = EditCancellation()
        let interruption = Interruption(cancelling: cancellation)
        let library = try libraryOptions.open(for: .changing) { _ in
            try interruption.allowCommit()
        }
        guard let author = try Self.author(old, in: library) else {
            // An extension that is there, and that nothing depends on, has nothing to upgrade.
            let installed = try await general.withHost { host in
                new == nil && (try? host.extensions.catalogue.installed(named: old)) != nil
            }
            guard installed else {
                let known = Set(try library.extensionUsage().map(\.extensionIdentifier)).sorted()
                throw HostError(
                    .noSuchExtension,
                    "no edit depends on \(old)\(old.closest(among: known).suggestion)")
            }
            return general.output.message("there is nothing to do")
        }
        var options = FetchOptions()
        options.predicate = .editedBy(author)
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.includeAssetSourceTypes = [.userLibrary, .cloudShared, .syncedFromDevice]
        let identifiers = try Asset.fetchAssets(in: library, options: options).localIdentifiers()
        var work = AppliedEdits(
            source: .edits(by: author, takenBy: new ?? author),
            options: EditCopyOptions(), library: library, cancellation: cancellation,
            interruption: interruption, output: general.output)
        if new == nil {
            work.idleMessage =
                "there is nothing to do: no recipe of \(author) is of an older format"
        }
        try await work.run(on: identifiers, each: keepGoing, general)
    }

    /// The one extension of this name on which edits depend; nil: there is none.
    private static func author(_ name: String, in library: PhotoLibrary) throws -> String? {
        let wanted = ExtensionName(name)
        let all = Set(try library.extensionUsage().map(\.extensionIdentifier))
        let meant = all.filter { wanted.means($0) }.sorted()
        if all.contains(name) { return name }
        guard meant.count < 2 else {
            throw HostError(
                .ambiguousExtension,
                "\(name) may be \(meant.joined(separator: " or ")); give the whole identifier")
        }
        return meant.first
    }
}
