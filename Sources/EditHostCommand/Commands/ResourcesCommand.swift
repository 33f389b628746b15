// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import FileAccess
import JSONOutput
import Library

extension AssetResourceType: ExpressibleByArgument {
    /// Parses the name of a resource type.
    public init?(argument: String) {
        guard let type = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = type
    }

    /// The resource types, for help and completion.
    public static var allValueStrings: [String] { allCases.map(\.name) }
}

/// The command `edithost resources`.
struct ResourcesCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "resources",
        abstract: "List the files of photos, or write one of them.",
        discussion: """
            The original is listed first, then the RAW, AAE and XMP files imported with it. For an \
            edited photo, the previous version, the current version, the recipe of the last \
            edit and the files named by its parameters are listed next. Versions that are not \
            stored are rendered on demand.
            """,
        examples: """
            edithost resources 3f2a
            edithost resources 3f2a --type adjustmentData --output recipe.json
            edithost resources 3f2a --type photo --output -
            edithost resources --all --type metadataSidecar --json
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Option(help: ArgumentHelp("Only files of this type.", valueName: "type"))
    var type: AssetResourceType?

    @Option(help: ArgumentHelp("Only files with this name.", valueName: "name"))
    var filename: String?

    @Option(
        help: ArgumentHelp(
            "Write the file to this path, which must not exist; - writes to standard output.",
            valueName: "file"),
        completion: .file())
    var output: OutputFile?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try assets.validate()
        try output?.validate(general)
    }

    func run() async throws {
        try output?.requireNoTerminal()
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try await assets.identifiers(in: library)
        if let output {
            guard identifiers.count == 1, let identifier = identifiers.first else {
                throw CommandEnd(
                    status: .usage,
                    message:
                        "--output writes a file of one photo; \(identifiers.count) are selected")
            }
            let asset = try library.asset(withLocalIdentifier: identifier)
            return try await write(
                resources(of: asset, in: library), of: asset, to: output, from: library)
        }
        if identifiers.isEmpty { try general.output.printText(["no photos"]) }
        var isFirst = true
        for identifier in identifiers {
            let read = try unlessRemoved(among: identifiers) {
                let asset = try library.asset(withLocalIdentifier: identifier)
                return (asset, try resources(of: asset, in: library))
            }
            guard let (asset, found) = read else { continue }
            // Only photos with such a file are of interest among several.
            if found.isEmpty, identifiers.count > 1 { continue }
            try requireAny(found, of: asset)
            if identifiers.count > 1 {
                try general.output.printText(asset.heading(isFirst: isFirst))
                isFirst = false
            }
            for resource in found { try general.output.printJSON(resource.row(in: library)) }
            try general.output.printText(table(of: found, in: library).lines)
        }
        if isFirst, identifiers.count > 1 {
            general.output.message("no files of this type and name")
        }
    }

    private func resources(of asset: Asset, in library: PhotoLibrary) throws -> [AssetResource] {
        let filename = filename.map { FileName($0) }
        return try AssetResource.assetResources(for: asset, in: library).filter {
            (type == nil || $0.type == type)
                && (filename == nil || FileName($0.originalFilename) == filename)
        }
    }

    private func requireAny(_ found: [AssetResource], of asset: Asset) throws {
        guard found.isEmpty else { return }
        throw CommandEnd(
            status: .notFound,
            message: "asset \(asset.localIdentifier): no file has this type and name; run "
                + "edithost resources to list its files")
    }

    private func write(
        _ found: [AssetResource], of asset: Asset, to file: OutputFile, from library: PhotoLibrary
    ) async throws {
        try requireAny(found, of: asset)
        guard found.count == 1, let resource = found.first else {
            throw CommandEnd(
                status: .usage,
                message: "asset \(asset.localIdentifier): \(found.count) files match; select "
                    + "one with --type and --filename")
        }
        guard !file.isStandardOutput else {
            return try await general.withHost(interruption: Interruption()) { host in
                try await AssetResourceManager(host: host, library: library)
                    .requestData(for: resource) { try StandardStream.output.print($0) }
            }
        }
        let path = file.path
        try PhotoLibrary.requireOutsideLibraries(path)
        try await general.withHost(interruption: Interruption()) { host in
            try await AssetResourceManager(host: host, library: library)
                .writeData(for: resource, toFile: path)
        }
        try general.output.print(resource.row(in: library).adding(["path": path]), path)
    }

    private func table(of resources: [AssetResource], in library: PhotoLibrary) -> TextTable {
        var table = TextTable(["type", "size", "kind", "where", "file"], rightColumns: [1])
        for resource in resources {
            let place =
                resource.isStored(in: library)
                ? "stored" : resource.url ?? "rendered on demand"
            table.add([
                resource.type.name, resource.size?.byteText ?? "-",
                resource.uniformTypeIdentifier, place, resource.originalFilename,
            ])
        }
        return table
    }
}
