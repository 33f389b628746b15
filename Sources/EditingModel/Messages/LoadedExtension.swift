// SPDX-License-Identifier: Apache-2.0

/// An extension as a runner knows it.
public struct LoadedExtension: Codable, Hashable, Sendable {
    /// Must equal what the library says of itself.
    public var identifier: String
    /// Must equal what the library says of itself.
    public var version: String
    /// The pixels it wants.
    public var pixelFormats: [PixelFormat]
    /// Whether it may ask for random access.
    public var access: PixelAccess

    /// Makes a description from a manifest.
    public init(_ manifest: ExtensionManifest) {
        identifier = manifest.identifier
        version = manifest.version
        pixelFormats = manifest.pixelFormats
        access = manifest.access
    }
}
