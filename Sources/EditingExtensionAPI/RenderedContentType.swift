// SPDX-License-Identifier: Apache-2.0

/// The type of a rendered file, as a MIME type.
public struct RenderedContentType: RawRepresentable, Hashable, Sendable {
    /// The MIME type.
    public let rawValue: String
    /// Makes a type.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// JPEG. Every host takes it.
    public static let jpeg = RenderedContentType(rawValue: "image/jpeg")
    /// PNG.
    public static let png = RenderedContentType(rawValue: "image/png")
    /// TIFF.
    public static let tiff = RenderedContentType(rawValue: "image/tiff")
}
