// SPDX-License-Identifier: Apache-2.0

/// The MIME type of a rendered file.
public struct RenderedContentType: RawRepresentable, Hashable, Sendable {
    /// The MIME type, such as "image/jpeg".
    public let rawValue: String
    /// Creates a type from a MIME type.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// JPEG, which every host accepts.
    public static let jpeg = RenderedContentType(rawValue: "image/jpeg")
    /// PNG, a lossless format.
    public static let png = RenderedContentType(rawValue: "image/png")
    /// TIFF, lossless by default.
    public static let tiff = RenderedContentType(rawValue: "image/tiff")
}
