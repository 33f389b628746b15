// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What an extension says of itself in `manifest.json`, read without loading any code.
public struct ExtensionManifest: Codable, Hashable, Sendable {
    /// The extension's name in reverse DNS, for example `org.edithost.sepia`.
    public var identifier: String
    /// The name shown to people.
    public var name: String
    /// The extension's own version, for example `1.2.0`.
    public var version: String
    /// The version of the C contract it was built with, `major.minor`, for example `1.0`.
    public var abi: String
    /// The file name of the shared library, beside the manifest.
    public var library: String
    /// The oldest host that it works with, for example `1.0`; nil: any.
    public var minimumHost: String?
    /// The kinds of assets it edits. At least one.
    public var supportedMediaTypes: [MediaType]
    /// The recipes it can continue.
    public var reads: [AdjustmentFormat]
    /// The recipes it makes.
    public var writes: [AdjustmentFormat]
    /// Older formats that it converts to one it writes.
    public var upgrades: [AdjustmentFormat]
    /// The pixels it wants; the host converts to the nearest of them.
    public var pixelFormats: [PixelFormat]
    /// Whether it may ask for its input in random order.
    public var access: PixelAccess
    /// Its recipe belongs to one picture (crops, masks), and is not to be copied to others.
    public var contentBound: Bool
    /// Running it is so costly that its output is stored losslessly and not computed again.
    public var expensive: Bool
    /// Further files of the extension's folder whose change makes its renditions stale.
    public var hashedFiles: [String]
    /// Whether it wants the original's own file; false unless it is said. An untrusted extension gets it
    /// where the user allows that.
    public var readsOriginal: Bool
    /// Whether each pixel of its output is where it is in its input, so that what a file says of places in its
    /// picture, such as faces, stays true; false unless it is said.
    public var keepsPixelsInPlace: Bool
    /// What a user can set.
    public var parameters: [ExtensionParameter]
    /// Values that the extension offers together, by a name.
    public var presets: [ParameterPreset]

    /// The recipe formats that may be continued: ``reads`` and ``upgrades``.
    public func declaresReading(_ data: AdjustmentData) -> Bool {
        (reads + upgrades).contains { $0.matches(data) }
    }

    /// The parameter of a name, if there is one.
    public func parameter(named name: String) -> ExtensionParameter? {
        parameters.first { $0.name == name }
    }

    /// Parameters by name, for many look-ups.
    var parametersByName: [String: ExtensionParameter] {
        Dictionary(parameters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
