// SPDX-License-Identifier: Apache-2.0

/// The special meaning of a parameter to a form, beyond its type. Forms ignore roles that are not listed here.
public struct ParameterRole: RawRepresentable, Codable, Hashable, Sendable {
    /// The name in a manifest.
    public let rawValue: String

    /// Creates a role from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The crop rectangle. A form shows the uncropped picture while the user edits it.
    public static let crop = ParameterRole(rawValue: "crop")
    /// The angle that makes the horizon level. A form turns the picture while the user changes it.
    public static let straighten = ParameterRole(rawValue: "straighten")
    /// The time in seconds at which the kept part of a video starts.
    public static let timeStart = ParameterRole(rawValue: "timeStart")
    /// The time in seconds at which the kept part of a video ends; 0 is the end of the video.
    public static let timeEnd = ParameterRole(rawValue: "timeEnd")

    /// A Boolean that is shown as a button. Setting it to true makes the extension choose other parameters for the
    /// picture; the extension then sets it to false again.
    public static let automatic = ParameterRole(rawValue: "automatic")

    /// The roles that user interfaces support.
    public static let known: [ParameterRole] = [
        .crop, .straighten, .timeStart, .timeEnd, .automatic,
    ]
}
