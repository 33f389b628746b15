// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The colour space that a table expects. The raw values are the choices of the parameter `space`.
enum TableSpace: String, Codable, Sendable {
    case sRGB = "srgb"
    case displayP3 = "display-p3"
    case adobeRGB = "adobe-rgb"
    case proPhotoRGB = "prophoto-rgb"
    /// Rec. 709 with the levels of video: black is 16 and white is 235 of 255.
    case rec709 = "rec-709"

    /// The primaries and curves of the space. The curve of Rec. 709 is treated as that of sRGB, as the host does for
    /// videos.
    var profile: RGBProfile {
        switch self {
        case .sRGB, .rec709: .sRGB
        case .displayP3: .displayP3
        case .adobeRGB: .adobeRGB
        case .proPhotoRGB: .proPhotoRGB
        }
    }

    /// The level of black, and the difference between white and black, relative to the maximum level.
    var levels: (black: Float, range: Float) {
        self == .rec709 ? (16.0 / 255, 219.0 / 255) : (0, 1)
    }

    /// The name of the space in messages.
    var name: String {
        switch self {
        case .sRGB: "sRGB"
        case .displayP3: "Display P3"
        case .adobeRGB: "Adobe RGB"
        case .proPhotoRGB: "ProPhoto RGB"
        case .rec709: "Rec. 709"
        }
    }
}
