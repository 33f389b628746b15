// SPDX-License-Identifier: Apache-2.0

/// The kind of value of a string parameter.
public enum ParameterText: String, Sendable {
    /// Free text.
    case text
    /// A colour, `#rrggbb` or `#rrggbbaa`.
    case color
    /// A file chosen by the user, which ``PhotoFilterContext/file(_:)`` reads. The default value is the name of one of
    /// the manifest's `hashedFiles`.
    case file
}
