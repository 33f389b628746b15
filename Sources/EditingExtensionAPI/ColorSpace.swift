// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// A colour space for a ``ColorTransform``.
public enum ColorSpace: Sendable, Hashable {
    /// Red, green and blue, 0...1, with the transfer curves of a profile.
    case encoded(RGBProfile)
    /// Red, green and blue, 0...1, proportional to light, in the primaries of a profile.
    case linear(RGBProfile)
    /// CIE XYZ relative to D50. White is 0.9642, 1, 0.8249.
    case xyz
    /// CIE L\*a\*b\* relative to D50. L\* is 0...100.
    case lab

    /// Calls a function with the structure of the C contract.
    func withContract<Result>(
        _ body: (UnsafePointer<ee_color_space>) throws -> Result
    ) rethrows -> Result {
        let (model, profile): (Int, RGBProfile?) =
            switch self {
            case .encoded(let profile): (Int(EE_COLOR_ENCODED), profile)
            case .linear(let profile): (Int(EE_COLOR_LINEAR), profile)
            case .xyz: (Int(EE_COLOR_XYZ), nil)
            case .lab: (Int(EE_COLOR_LAB), nil)
            }
        var space = ee_color_space()
        space.struct_size = UInt32(MemoryLayout<ee_color_space>.size)
        space.model = ee_color_model(model)
        guard let name = profile?.name else {
            return try (profile?.bytes ?? []).withUnsafeBytes { bytes in
                space.profile = bytes.baseAddress
                space.profile_size = bytes.count
                return try body(&space)
            }
        }
        return try name.withCString { name in
            space.name = name
            return try body(&space)
        }
    }
}
