// SPDX-License-Identifier: Apache-2.0

/// The RGB profile of some pixels.
///
/// An extension may choose one of the four named ones for its output, never bytes of its own.
public enum ColorProfile: String, Codable, Hashable, Sendable, CaseIterable {
    /// That of the original file (the descriptor `metadataSource`); sRGB where it has none that
    /// is RGB.
    case original
    case sRGB = "srgb"
    case displayP3 = "display-p3"
    case adobeRGB = "adobe-rgb"
    case proPhotoRGB = "prophoto-rgb"
}
