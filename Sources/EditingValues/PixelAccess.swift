// SPDX-License-Identifier: Apache-2.0

/// The order in which an extension reads the pixels of its input.
public enum PixelAccess: String, Codable, Hashable, Sendable, CaseIterable {
    /// Once, from top to bottom, with a window of 512 rows: low memory use, sufficient for operations on pixels and
    /// their neighbourhoods. Reading further up fails.
    case sequential
    /// Any order, more than once: rotations, vertical flips, warps.
    case random

    /// Decodes a case by its name.
    public init(from decoder: any Decoder) throws { self = try Self.named(by: decoder) }
}
