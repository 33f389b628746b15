// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The bytes of the original's profile and of the four profiles that an extension can name.
enum NamedProfile {
    /// Returns the bytes of a profile; `nil` only for an original without an RGB profile.
    ///
    /// - Parameter original: The RGB profile of the original.
    static func bytes(
        _ profile: ColorProfile, original: [UInt8]?
    ) throws(RunnerFailure) -> [UInt8]? {
        switch profile {
        case .original: original
        case .sRGB: try builtIn("srgb")
        case .displayP3: try builtIn("p3")
        case .adobeRGB: NamedProfile.adobeRGB
        case .proPhotoRGB: NamedProfile.proPhotoRGB
        }
    }

    /// Returns the name of a profile; `nil` if it has none.
    static func name(
        of profile: [UInt8]?, original: [UInt8]?
    ) throws(RunnerFailure) -> ColorProfile? {
        guard let profile else { return original == nil ? .original : .sRGB }
        if profile == original { return .original }
        for named in ColorProfile.allCases where named != .original {
            if try bytes(named, original: original) == profile { return named }
        }
        return nil
    }

    private static func builtIn(_ name: String) throws(RunnerFailure) -> [UInt8] {
        try wrapping("get the profile \(name)", code: .badRequest) {
            let operation = try ImageOperation("profile_load")
            try operation.set("name", to: .string(name))
            try operation.run()
            return try operation.bytes("profile")
        }
    }
}
