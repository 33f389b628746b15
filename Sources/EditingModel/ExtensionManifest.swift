// SPDX-License-Identifier: Apache-2.0

/// The declaration of an extension in its `manifest.json`, which is read without loading any code.
public struct ExtensionManifest: Codable, Hashable, Sendable {
    /// The extension's name in reverse DNS, for example `org.edithost.sepia`.
    public var identifier: String
    /// The display name.
    public var name: String
    /// The version of the extension, for example `1.2.0`.
    public var version: String
    /// The version of the C ABI that the extension was built against, `major.minor`, for example `1.0`.
    public var abi: String
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
    /// The categories that a list of extensions can group it by, for example `color`.
    public var categories: [String]
    /// The file name of an icon in the same folder as the manifest.
    public var icon: String?
    /// The file name of the shared library, in the same folder as the manifest.
    public var library: String
    /// The minimum version of the host, for example `1.0`; `nil` accepts any version.
    public var minimumHost: String?
    /// The media types that the extension edits; at least one.
    public var supportedMediaTypes: [MediaType]
    /// The recipe formats that the extension can continue editing.
    public var reads: [AdjustmentFormat]
    /// The recipe formats that the extension writes.
    public var writes: [AdjustmentFormat]
    /// The older formats that the extension converts to a format it writes, and those in which it finds data again.
    public var upgrades: [AdjustmentFormat]
    /// The accepted pixel formats. The host converts the input to the closest one.
    public var pixelFormats: [PixelFormat]
    /// The order in which the extension reads its input.
    public var access: PixelAccess
    /// `true` if recipes apply to one image only (crops, masks) and must not be copied to others.
    public var contentBound: Bool
    /// `true` if rendering is so costly that the output is stored losslessly instead of being re-rendered.
    public var expensive: Bool
    /// Additional files of the extension's folder that invalidate its renditions when they change.
    public var hashedFiles: [String]
    /// `true` if the extension needs the file of the original; `false` by default.
    ///
    /// An untrusted extension gets the file only if the user allows it.
    public var readsOriginal: Bool
    /// `true` if every output pixel is at the position of its input pixel; `false` by default.
    ///
    /// Metadata with image coordinates, such as face regions, then stays valid.
    public var keepsPixelsInPlace: Bool
    /// The user-adjustable parameters.
    public var parameters: [ExtensionParameter]
    /// The named presets of parameter values.
    public var presets: [ParameterPreset]

    /// Returns whether a recipe can be continued: its format is listed in ``reads`` or ``upgrades``.
    public func declaresReading(_ data: AdjustmentData) -> Bool {
        (reads + upgrades).contains { $0.matches(data) }
    }

    /// Returns whether a recipe contains data of its photo that the extension can find again, such as those of its
    /// lens: its format is listed in both ``writes`` and ``upgrades``.
    public func canRefreshPhotoData(of recipe: AdjustmentData) -> Bool {
        writes.contains { $0.matches(recipe) } && upgrades.contains { $0.matches(recipe) }
    }

    /// Returns the parameter with the given name, or `nil`.
    public func parameter(named name: String) -> ExtensionParameter? {
        parameters.first { $0.name == name }
    }

    /// The parameters keyed by name, for repeated lookups.
    var parametersByName: [String: ExtensionParameter] {
        Dictionary(parameters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
