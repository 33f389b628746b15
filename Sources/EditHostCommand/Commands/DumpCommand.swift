// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost dump`.
struct DumpCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print everything that the library stores about photos, as JSON.",
        discussion: """
            Prints one object per photo: metadata, files with their hashes, albums, all edits with \
            their recipes, states, versions, and whether the stored picture is stale. The contents \
            of files are not printed; backup copies them.
            """,
        examples: """
            edithost dump --all > library.jsonl
            edithost dump --album Summer | jq -r .original.hash
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @OptionGroup var parallel: JobsOption

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try assets.identifiers(in: library)
        let staleness = try await staleness(of: identifiers, in: library)
        let output = CommandOutput(isJSON: true)
        for identifier in identifiers {
            let history = try library.history(ofAsset: identifier)
            let albums = try AssetCollection.fetchAssetCollectionsContaining(
                history.asset, with: .album, in: library)
            let row = history.dumpRow(
                keywords: try history.asset.keywords(in: library),
                resources: AssetResource.assetResources(of: history, in: library),
                albums: try albums.elements(), staleness: staleness[identifier], in: library)
            try output.printJSON(row)
        }
    }

    /// Returns the results of a dry run of a re-render by identifier; empty if there is no runner.
    private func staleness(
        of identifiers: [String], in library: PhotoLibrary
    ) async throws -> [String: RerenderResult] {
        var results: [String: RerenderResult] = [:]
        let jobs = GeneralOptions.jobs(parallel.jobs, for: identifiers.count)
        do {
            results = try await general.withHost(jobs: jobs, interruption: Interruption()) { host in
                var options = RerenderOptions(jobs: jobs)
                options.dryRun = true
                var found: [String: RerenderResult] = [:]
                try await host.rerender(identifiers, in: library, options: options) {
                    found[$0.assetIdentifier] = $0
                }
                return found
            }
        } catch let error as HostError where error.code != .cancelled {
            general.output.message("it is not known which pictures are stale: \(error.message)")
        }
        return results
    }
}
