// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost dump`.
struct DumpCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print what the library stores about photos, as JSON.",
        discussion: """
            Prints one object per photo: metadata, files with their hashes, albums, all edits with \
            their recipes, states, versions, and whether the stored picture is stale. It does not \
            run extensions, so it does not print the values of parameters; use show for them. It \
            does not print the contents of files; use backup to copy them.
            """,
        examples: """
            edithost dump --all
            edithost dump --album Summer --edited
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @OptionGroup var parallel: JobsOption

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    /// The number of photos whose staleness is determined at once.
    private static let chunk = 1000

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try await assets.identifiers(in: library)
        let jobs = JobsOption.jobs(parallel.jobs, for: identifiers.count)
        try await general.withHost(jobs: jobs, interruption: Interruption()) { host in
            for start in stride(from: 0, to: identifiers.count, by: Self.chunk) {
                let end = min(start + Self.chunk, identifiers.count)
                let chunk = Array(identifiers[start..<end])
                let staleness = try await staleness(of: chunk, in: library, host, jobs)
                for identifier in chunk {
                    try Task.checkCancellation()
                    try dump(identifier, staleness[identifier], from: library)
                }
            }
        }
    }

    private func dump(
        _ identifier: String, _ staleness: RerenderResult?, from library: PhotoLibrary
    ) throws {
        let row: JSONRow
        do {
            let history = try library.history(ofAsset: identifier)
            let albums = try AssetCollection.fetchAssetCollectionsContaining(
                history.asset, with: .album, in: library)
            row = history.dumpRow(
                keywords: try history.asset.keywords(in: library),
                resources: AssetResource.assetResources(of: history, in: library),
                albums: try albums.elements(), staleness: staleness, in: library)
        } catch let error as LibraryError where error.code == .noSuchAsset {
            // Another process has deleted it.
            return
        }
        try CommandOutput(isJSON: true).printJSON(row)
    }

    /// Returns the results of a dry run of a re-render by identifier; empty if there is no runner.
    private func staleness(
        of identifiers: [String], in library: PhotoLibrary, _ host: ExtensionHost, _ jobs: Int
    ) async throws -> [String: RerenderResult] {
        var options = RerenderOptions(jobs: jobs)
        options.dryRun = true
        var results: [String: RerenderResult] = [:]
        do {
            try await host.rerender(identifiers, in: library, options: options) {
                results[$0.assetIdentifier] = $0
            }
        } catch let error as HostError where error.code != .cancelled {
            general.output.message("it is not known which pictures are stale: \(error.message)")
        }
        return results
    }
}
