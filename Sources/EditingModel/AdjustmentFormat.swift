// SPDX-License-Identifier: Apache-2.0

/// A recipe format that an extension reads or writes.
public struct AdjustmentFormat: Codable, Hashable, Sendable {
    /// The format identifier, in reverse DNS.
    public var formatIdentifier: String
    /// The supported versions of the format; `nil` matches every version.
    public var formatVersions: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case formatIdentifier, formatVersions
    }

    /// Creates a format that matches the given versions, or every version if `formatVersions` is `nil`.
    public init(formatIdentifier: String, formatVersions: [String]? = nil) {
        self.formatIdentifier = formatIdentifier
        self.formatVersions = formatVersions
    }

    /// Returns whether a recipe is of this format and one of its versions.
    public func matches(_ data: AdjustmentData) -> Bool {
        formatIdentifier == data.formatIdentifier
            && (formatVersions.map { $0.contains(data.formatVersion) } ?? true)
    }
}
