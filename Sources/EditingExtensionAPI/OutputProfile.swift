// SPDX-License-Identifier: Apache-2.0

/// A colour profile for an output that differs from the input's.
public enum OutputProfile: String, Sendable, CaseIterable {
    /// sRGB, the profile for the web.
    case sRGB = "srgb"
    /// Display P3, a wide gamut with sRGB's transfer curve.
    case displayP3 = "display-p3"
    /// Adobe RGB (1998).
    case adobeRGB = "adobe-rgb"
    /// ProPhoto RGB, a very wide gamut.
    case proPhotoRGB = "prophoto-rgb"
}
