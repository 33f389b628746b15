// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost metadata write`.
struct WriteMetadataCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write XMP sidecars beside referenced originals.",
        discussion: """
            The dates, locations, titles, descriptions, creators, copyrights, labels, ratings and \
            keywords of the library are written to NAME.EXT.xmp beside each original that was imported with \
            --reference, so that darktable, digiKam and Lightroom read them. If the sidecar has \
            another name, such as NAME.xmp, that file is updated. Other properties of a sidecar \
            are kept. A sidecar that another program has changed since it was imported, even \
            while the command runs, is not replaced; import it first. A sidecar that cannot be \
            read is not replaced either. The library stores the new sidecars, so the next import \
            finds nothing new. \
            Photos that are stored in the library are skipped; "export --sidecar xmp" writes \
            their metadata. The other sidecars are written even if some fail.
            """,
        examples: """
            edithost metadata write --all --dry-run
            edithost metadata write 3f2a 9c41
            edithost metadata write --rating 4..
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Print what would be done, without doing it.")
    var dryRun = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let names = try assets.names
        let library = try libraryOptions.open(for: dryRun ? .reading : .changing)
        let identifiers = try await assets.identifiers(in: library, named: names)
        let batch = BatchRun(
            general, dryRun ? "reading" : "writing", kept: dryRun ? nil : "written")
        try await batch.run(on: identifiers.count) { host in
            try await host.writeSidecars(
                of: identifiers, in: library, dryRun: dryRun
            ) { try print($0, batch) }
        }
        try batch.end()
    }

    private func print(_ result: SidecarResult, _ batch: BatchRun) throws {
        let identifier = result.assetIdentifier
        let row: JSONRow = [
            "id": identifier, "path": result.path, "pathBytes": result.path?.undecodedBytes,
            "status": result.status.rawValue, "reason": result.reason,
            "error": result.error.map(ExitStatus.words(for:)),
        ]
        if let error = result.error {
            try batch.fail(identifier, error, row)
            return
        }
        let words = [result.path, result.reason].compactMap(\.self).joined(separator: ": ")
            .printable
        try batch.output.print(
            row, "\(result.status.rawValue)  \(ShortIdentifier.of(identifier))  \(words)")
        batch.finish(identifier, isKept: result.status == .written)
    }
}
