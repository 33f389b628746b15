// SPDX-License-Identifier: Apache-2.0

/// The kind of value of a string parameter.
public enum ParameterText: String, Sendable {
    /// Free text.
    case text
    /// A colour, `#rrggbb` or `#rrggbbaa`. The host sets `#rrggbbaa`. A recipe may contain other text.
    case color
    /// A file chosen by the user, which ``PhotoFilterContext/file(_:)`` reads. The default value is the name of one of
    /// the manifest's `hashedFiles`.
    case file

    /// Returns the canonical form of a value; the value itself if it is invalid, which the host rejects.
    func canonical(_ text: String) -> String {
        guard self == .color, case .string(let color) = ParameterValue.color(text) else {
            return text
        }
        return color
    }
}
