// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

/// The colour space of exported pixels.
enum ExportedProfile: String, ExpressibleByArgument, CaseIterable {
    case keep
    case sRGB = "srgb"
    case displayP3 = "display-p3"
    case adobeRGB = "adobe-rgb"
    case proPhotoRGB = "prophoto-rgb"

    /// The equivalent profile of the host.
    var profile: ColorProfile {
        switch self {
        case .keep: .original
        case .sRGB: .sRGB
        case .displayP3: .displayP3
        case .adobeRGB: .adobeRGB
        case .proPhotoRGB: .proPhotoRGB
        }
    }
}
