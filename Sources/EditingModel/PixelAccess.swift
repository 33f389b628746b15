// SPDX-License-Identifier: Apache-2.0

/// The order in which an extension reads the pixels of its input.
public enum PixelAccess: String, Codable, Hashable, Sendable {
    /// Top to bottom, with a window of some lines.
    case sequential
    /// In any order, where the recipe needs it.
    case random
}
