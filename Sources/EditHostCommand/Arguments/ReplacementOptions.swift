// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import JSONOutput
import Library

/// The options for moving edits to another extension, and the work itself.
struct ReplacementOptions: ParsableArguments {
    @Flag(help: "Commit each photo separately and continue after failures.")
    var keepGoing = false

    /// Converts all edits of an extension to another extension.
    ///
    /// - Parameter new: The new extension; `nil` converts them to the current format of the same extension.
    func run(
        _ old: String, _ new: String?, _ libraryOptions: LibraryOptions, _ general: GeneralOptions
    ) async throws {
        let run = try EditingRun(general, libraryOptions, each: keepGoing)
        let library = run.library
        guard let author = try Self.author(old, in: library) else {
            // If no edit depends on an installed extension, there is nothing to upgrade.
            let installed = try await general.withHost { host in
                new == nil && (try? host.extensions.catalogue.installed(named: old)) != nil
            }
            guard installed else {
                let known = Set(try library.extensionUsage().map(\.extensionIdentifier)).sorted()
                throw HostError(
                    .noSuchExtension,
                    "no edit depends on \(old)\(old.closest(among: known).suggestion)")
            }
            return general.output.message("nothing to do")
        }
        var options = FetchOptions()
        options.predicate = .editedBy(author)
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.includeAssetSourceTypes = [.userLibrary, .cloudShared, .syncedFromDevice]
        let identifiers = try Asset.fetchAssets(in: library, options: options).localIdentifiers()
        try await run.apply(
            .edits(by: author, takenBy: new ?? author), to: .identifiers(identifiers),
            idleMessage: new == nil
                ? "nothing to do: all recipes of \(author) are current" : nil)
    }

    /// Returns the only extension with this name that edits depend on; `nil` if there is none.
    private static func author(_ name: String, in library: PhotoLibrary) throws -> String? {
        let wanted = ExtensionName(name)
        let all = Set(try library.extensionUsage().map(\.extensionIdentifier))
        let matches = all.filter { wanted.matches($0) }.sorted()
        if all.contains(name) { return name }
        guard matches.count < 2 else {
            throw HostError(
                .ambiguousExtension,
                "\"\(name)\" is ambiguous; give the full identifier: "
                    + "\(matches.joined(separator: " or "))")
        }
        return matches.first
    }
}
