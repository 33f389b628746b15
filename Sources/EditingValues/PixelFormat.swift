// SPDX-License-Identifier: Apache-2.0

/// A pixel layout that an extension accepts: bands and bits per sample, interleaved, straight alpha, native
/// byte order.
public enum PixelFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case rgb8, rgba8, rgb16, rgba16

    /// Decodes a case by its name.
    public init(from decoder: any Decoder) throws { self = try Self.named(by: decoder) }

    /// The bits per sample, 8 or 16.
    public var bitsPerSample: Int { self == .rgb8 || self == .rgba8 ? 8 : 16 }
    /// `true` if the fourth band is alpha.
    public var hasAlpha: Bool { self == .rgba8 || self == .rgba16 }
}
