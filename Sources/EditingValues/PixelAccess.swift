// SPDX-License-Identifier: Apache-2.0

/// The order in which an extension reads the pixels of its input.
public enum PixelAccess: String, Codable, Hashable, Sendable, CaseIterable {
    /// Top to bottom, with a window of a few rows: low memory use, sufficient for any per-pixel operation.
    case sequential
    /// Random access: rotations, vertical flips, warps. Requires `"access": "random"` in the manifest.
    case random

    /// Decodes a case by its name.
    public init(from decoder: any Decoder) throws { self = try Self.named(by: decoder) }
}
