// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// A generated manifest, without the name of the library, which the code cannot determine.
struct GeneratedManifest: Encodable {
    struct Format: Encodable {
        let formatIdentifier: String
        let formatVersions: [String]
    }

    let identifier: String
    let name: String
    let version: String
    let abi: String
    let vendor: String?
    let author: String?
    let homepage: String?
    let support: String?
    let license: String?
    let description: LocalizedText?
    let categories: [String]
    let icon: String?
    let minimumHost: String?
    let supportedMediaTypes: [String]
    let reads: [Format]
    let writes: [Format]
    let upgrades: [Format]?
    let pixelFormats: [PixelFormat]
    let access: PixelAccess
    let contentBound: Bool
    let expensive: Bool
    let hashedFiles: [String]
    let readsOriginal: Bool
    let keepsPixelsInPlace: Bool
    let parameters: [ParameterDeclaration]
    let presets: [FilterManifest.Preset]

    init<Filter: PhotoFilter>(of filter: Filter.Type) throws {
        let facts = Filter.manifest
        identifier = Filter.identifier
        name = facts.name ?? String(describing: Filter.self)
        version = Filter.version
        abi = "\(EE_ABI_MAJOR).\(EE_ABI_MINOR)"
        vendor = facts.vendor
        author = facts.author
        homepage = facts.homepage
        support = facts.support
        license = facts.license
        description = facts.description
        categories = facts.categories
        icon = facts.icon
        minimumHost = facts.minimumHost
        supportedMediaTypes = facts.supportedMediaTypes.map(\.name)
        reads = [
            Format(
                formatIdentifier: Filter.formatIdentifier,
                formatVersions: Filter.readableFormatVersions)
        ]
        writes = [
            Format(
                formatIdentifier: Filter.formatIdentifier, formatVersions: [Filter.formatVersion])
        ]
        upgrades =
            facts.upgrades.isEmpty
            ? nil
            : [
                Format(
                    formatIdentifier: Filter.formatIdentifier, formatVersions: facts.upgrades)
            ]
        pixelFormats = facts.pixelFormats
        access = facts.access ?? Filter().access
        contentBound = facts.contentBound
        expensive = facts.expensive
        hashedFiles = facts.hashedFiles
        readsOriginal = facts.readsOriginal
        keepsPixelsInPlace = facts.keepsPixelsInPlace
        parameters = try Filter.declaredParameters()
        presets = facts.presets
    }
}
