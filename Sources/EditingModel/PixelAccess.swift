// SPDX-License-Identifier: Apache-2.0

/// The order in which an extension reads the pixels of its input.
public enum PixelAccess: String, Codable, Hashable, Sendable, CaseIterable {
    /// Top to bottom, with a window of some lines.
    case sequential
    /// In any order, where the recipe needs it.
    case random

    /// Decodes the name of a case.
    public init(from decoder: any Decoder) throws { self = try Self.named(by: decoder) }
}
