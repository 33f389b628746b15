// SPDX-License-Identifier: Apache-2.0

/// The kind of value that a string parameter holds.
public enum ParameterText: String, Sendable {
    /// Free text.
    case text
    /// A colour, `#rrggbb` or `#rrggbbaa`.
    case color
}
