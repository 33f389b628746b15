// SPDX-License-Identifier: Apache-2.0

/// The RGB profile of decoded pixels.
///
/// An extension selects one of these profiles for its output. It cannot supply an ICC profile of its own.
public enum ColorProfile: String, Codable, Hashable, Sendable, CaseIterable {
    /// The profile of the original (`metadataSource` of the descriptor); sRGB if the original has no RGB
    /// profile.
    case original
    case sRGB = "srgb"
    case displayP3 = "display-p3"
    case adobeRGB = "adobe-rgb"
    case proPhotoRGB = "prophoto-rgb"
}
