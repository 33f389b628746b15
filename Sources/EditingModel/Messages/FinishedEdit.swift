// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What an extension's `finish` gave.
public struct FinishedEdit: Codable, Hashable, Sendable {
    /// The recipe, as it came: its shape is checked by the host.
    public var formatIdentifier: String
    /// See ``formatIdentifier``.
    public var formatVersion: String
    /// See ``formatIdentifier``.
    public var data: Data
    /// The file that holds the output; nil: the output is an image in the runner.
    public var file: WrittenFile?

    /// Makes a finished edit.
    public init(
        formatIdentifier: String, formatVersion: String, data: Data, file: WrittenFile?
    ) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
        self.file = file
    }
}
