// SPDX-License-Identifier: Apache-2.0

/// The order in which an extension reads the pixels of its input.
public enum PixelAccess: String, Codable, Hashable, Sendable, CaseIterable {
    /// Top to bottom, with a window of some lines: cheap in memory, and enough for whatever works pixel
    /// by pixel.
    case sequential
    /// In any order: quarter turns, vertical flips, warps. Needs `"access": "random"` in the manifest.
    case random

    /// Decodes the name of a case.
    public init(from decoder: any Decoder) throws { self = try Self.named(by: decoder) }
}
