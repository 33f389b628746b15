// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// The manifest fields of a `PhotoFilter` that cannot be derived from the filter itself. For extensions whose
/// manifest is generated from the code by `edithost extensions manifest`.
public struct FilterManifest: Sendable {
    /// A named set of parameter values.
    public struct Preset: Encodable, Sendable {
        let name: String
        let label: LocalizedText?
        let values: [String: ParameterValue]

        /// Creates a preset from a name, a label for forms, and values by parameter name.
        public init(
            _ name: String, label: LocalizedText? = nil, values: [String: ParameterValue]
        ) {
            self.name = name
            self.label = label
            self.values = values
        }
    }

    /// The display name. Nil means the name of the type.
    public var name: String?
    /// The company or project that publishes the extension.
    public var vendor: String?
    /// The people who wrote the extension.
    public var author: String?
    /// The web page of the extension, an `https` or `http` URL.
    public var homepage: String?
    /// The address for help, an `https`, `http` or `mailto` URL.
    public var support: String?
    /// The licence of the extension, preferably an SPDX expression such as `MIT`.
    public var license: String?
    /// A sentence or paragraph about what the extension does.
    public var description: LocalizedText?
    /// The categories that lists of extensions group it by, at most 16.
    public var categories: [String]
    /// The name of an icon in the extension's folder.
    public var icon: String?
    /// The oldest version of edithost that the filter works with, such as "0.2". Nil means any.
    public var minimumHost: String?
    /// The media types that the filter edits.
    public var supportedMediaTypes: [MediaType]
    /// The earlier versions of the recipe's format that `edithost extensions upgrade` converts to the current one; see
    /// `PhotoFilter.init(recipe:version:)`. If the current version is included, data in recipes are found again; see
    /// `PhotoFilter.adapt(to:setting:)`.
    public var upgrades: [String]
    /// The pixel formats that the filter accepts.
    public var pixelFormats: [PixelFormat]
    /// The most demanding pixel access of any recipe. Nil means the access of a new edit.
    public var access: PixelAccess?
    /// True if a recipe applies only to the picture it was made for.
    public var contentBound: Bool
    /// True if the result is stored losslessly instead of being re-rendered.
    public var expensive: Bool
    /// The names of additional files in the extension's folder, whose hashes the host verifies.
    public var hashedFiles: [String]
    /// True if the filter requests access to the original file.
    public var readsOriginal: Bool
    /// True if every output pixel has the same position as its input pixel.
    public var keepsPixelsInPlace: Bool
    /// Named sets of parameter values that a user can choose.
    public var presets: [Preset]

    /// Creates a description. Omitted fields have the manifest's defaults.
    public init(
        name: String? = nil, minimumHost: String? = nil,
        supportedMediaTypes: [MediaType] = [.image], upgrades: [String] = [],
        pixelFormats: [PixelFormat] = PixelFormat.allCases,
        access: PixelAccess? = nil, contentBound: Bool = false, expensive: Bool = false,
        hashedFiles: [String] = [], readsOriginal: Bool = false,
        keepsPixelsInPlace: Bool = false, presets: [Preset] = [],
        vendor: String? = nil, author: String? = nil, homepage: String? = nil,
        support: String? = nil, license: String? = nil, description: LocalizedText? = nil,
        categories: [String] = [], icon: String? = nil
    ) {
        self.name = name
        self.vendor = vendor
        self.author = author
        self.homepage = homepage
        self.support = support
        self.license = license
        self.description = description
        self.categories = categories
        self.icon = icon
        self.minimumHost = minimumHost
        self.supportedMediaTypes = supportedMediaTypes
        self.upgrades = upgrades
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

extension PhotoFilterController: DescribedController {
    static func manifest() throws -> String {
        String(decoding: try JSON.encode(GeneratedManifest(of: Filter.self)), as: UTF8.self)
    }
}
