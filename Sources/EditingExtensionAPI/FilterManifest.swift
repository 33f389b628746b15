// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import FoundationEssentials

/// What the manifest of a `PhotoFilter` says besides what the filter itself knows, for those who have it
/// made of the code: `edithost extensions manifest`.
public struct FilterManifest: Sendable {
    /// Values that a user can choose together.
    public struct Preset: Encodable, Sendable {
        let name: String
        let label: LocalizedText?
        let values: [String: ParameterValue]

        /// Makes a preset: a name, what forms write for it, and values by the names of parameters.
        public init(
            _ name: String, label: LocalizedText? = nil, values: [String: ParameterValue]
        ) {
            self.name = name
            self.label = label
            self.values = values
        }
    }

    /// The name for people; nil: that of the type.
    public var name: String?
    /// What it edits.
    public var supportedMediaTypes: [MediaType]
    /// The pixels that it takes.
    public var pixelFormats: [PixelFormat]
    /// How it reads at the most; nil: as a new edit does.
    public var access: PixelAccess?
    /// Whether its recipe belongs to one picture.
    public var contentBound: Bool
    /// Whether its result is stored without loss and not computed again.
    public var expensive: Bool
    /// Further files of the extension's folder.
    public var hashedFiles: [String]
    /// Whether it wants the original's own file.
    public var readsOriginal: Bool
    /// Whether each pixel of its output is where it is in its input.
    public var keepsPixelsInPlace: Bool
    /// Values that a user can choose together.
    public var presets: [Preset]

    /// Makes a description; what is left out has the manifest's default.
    public init(
        name: String? = nil, supportedMediaTypes: [MediaType] = [.image],
        pixelFormats: [PixelFormat] = PixelFormat.allCases,
        access: PixelAccess? = nil, contentBound: Bool = false, expensive: Bool = false,
        hashedFiles: [String] = [], readsOriginal: Bool = false,
        keepsPixelsInPlace: Bool = false, presets: [Preset] = []
    ) {
        self.name = name
        self.supportedMediaTypes = supportedMediaTypes
        self.pixelFormats = pixelFormats
        self.access = access
        self.contentBound = contentBound
        self.expensive = expensive
        self.hashedFiles = hashedFiles
        self.readsOriginal = readsOriginal
        self.keepsPixelsInPlace = keepsPixelsInPlace
        self.presets = presets
    }
}

/// A manifest but for the name of its library, which the code does not know.
struct GeneratedManifest: Encodable {
    struct Format: Encodable {
        let formatIdentifier: String
        let formatVersions: [String]
    }

    let identifier: String
    let name: String
    let version: String
    let abi: String
    let supportedMediaTypes: [String]
    let reads: [Format]
    let writes: [Format]
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

/// A controller whose manifest can be made of the code.
protocol DescribedController: ContentEditingController {
    /// The manifest but for its library, JSON.
    static func manifest() throws -> String
}

extension PhotoFilterController: DescribedController {
    static func manifest() throws -> String {
        String(decoding: try JSON.encode(GeneratedManifest(of: Filter.self)), as: UTF8.self)
    }
}
