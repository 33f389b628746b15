// SPDX-License-Identifier: Apache-2.0

/// The colour profiles that an output may have other than its input's.
public enum OutputProfile: String, Sendable, CaseIterable {
    /// sRGB.
    case sRGB = "srgb"
    /// Display P3.
    case displayP3 = "display-p3"
    /// Adobe RGB (1998).
    case adobeRGB = "adobe-rgb"
    /// ProPhoto RGB.
    case proPhotoRGB = "prophoto-rgb"
}
