// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A recipe: what an editing extension did to its input, in its own words.
///
/// The host never looks inside ``data``. Equal input and equal recipe give equal output.
public struct AdjustmentData: Codable, Hashable, Sendable {
    /// The sizes, in bytes, that a recipe may have: 1 byte to 16 MiB.
    public static let allowedSizes = 1...(16 << 20)

    /// The longest format identifier or version, in UTF-8 bytes.
    public static let maximumNameLength = 255

    /// The name of the recipe's format, in reverse DNS, for example `org.edithost.sepia`.
    public let formatIdentifier: String

    /// The version of the format, for example `1.0`.
    public let formatVersion: String

    /// The recipe itself, opaque to the host.
    public let data: Data

    /// Makes a recipe and checks its shape.
    ///
    /// - Throws: `AdjustmentDataError` when the data is empty or larger than 16 MiB, or when
    ///   the identifier or version is empty, longer than 255 bytes or has control characters.
    public init(formatIdentifier: String, formatVersion: String, data: Data) throws {
        try Self.check(formatIdentifier, named: "format identifier")
        try Self.check(formatVersion, named: "format version")
        guard !data.isEmpty else { throw AdjustmentDataError(code: .empty, detail: "") }
        guard Self.allowedSizes.contains(data.count) else {
            throw AdjustmentDataError(code: .tooLarge, detail: "\(data.count) bytes")
        }
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }

    private static func check(_ name: String, named what: String) throws {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard !name.isEmpty, name.utf8.count <= maximumNameLength, isPlain else {
            throw AdjustmentDataError(code: .badName, detail: what)
        }
    }
}
