// SPDX-License-Identifier: Apache-2.0

import Vips

/// ICC profiles for test pictures.
public enum TestProfile {
    /// Returns a profile that libvips contains: `srgb`, `p3` or `cmyk`.
    public static func named(_ name: String) throws -> [UInt8] {
        try VipsLibrary.initialize()
        let operation = try ImageOperation("profile_load")
        try operation.set("name", to: .string(name))
        try operation.run()
        return try operation.bytes("profile")
    }
}
