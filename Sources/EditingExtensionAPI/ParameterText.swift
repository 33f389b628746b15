// SPDX-License-Identifier: Apache-2.0

// Labels, help and groups are plain strings, or strings by language: `["en": "Strength", "de": "Stärke"]`.

/// The kind of value that a string parameter holds.
public enum ParameterText: String, Sendable {
    /// Free text.
    case text
    /// A colour, `#rrggbb` or `#rrggbbaa`.
    case color
}
