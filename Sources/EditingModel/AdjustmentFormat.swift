// SPDX-License-Identifier: Apache-2.0

/// A format of recipes that an extension reads or writes.
public struct AdjustmentFormat: Codable, Hashable, Sendable {
    /// The format identifier.
    public var formatIdentifier: String
    /// The versions of the format; nil: every version.
    public var formatVersions: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case formatIdentifier, formatVersions
    }

    /// Makes a format.
    public init(formatIdentifier: String, formatVersions: [String]? = nil) {
        self.formatIdentifier = formatIdentifier
        self.formatVersions = formatVersions
    }

    /// Whether a recipe is of this format.
    public func matches(_ data: AdjustmentData) -> Bool {
        formatIdentifier == data.formatIdentifier
            && (formatVersions.map { $0.contains(data.formatVersion) } ?? true)
    }
}
