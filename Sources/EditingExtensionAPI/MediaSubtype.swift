// SPDX-License-Identifier: Apache-2.0

/// Particular kinds of photographs and videos. The bits are those of `PHAssetMediaSubtype`.
public struct MediaSubtype: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt64
    /// Makes a set from bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// A panorama.
    public static let photoPanorama = MediaSubtype(rawValue: 1 << 0)
    /// A high dynamic range photograph.
    public static let photoHDR = MediaSubtype(rawValue: 1 << 1)
    /// A screenshot.
    public static let photoScreenshot = MediaSubtype(rawValue: 1 << 2)
    /// A Live Photo.
    public static let photoLive = MediaSubtype(rawValue: 1 << 3)
    /// A photograph with a depth effect.
    public static let photoDepthEffect = MediaSubtype(rawValue: 1 << 4)
}
