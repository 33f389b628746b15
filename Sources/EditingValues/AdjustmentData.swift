// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A recipe: the serialised parameters of an edit, in a format defined by the extension that wrote it.
///
/// Rendering must be deterministic: equal input and equal recipe give equal output. The host stores the bytes
/// and never interprets them. Recipes that exceed the size limits are rejected when the edit is committed.
public struct AdjustmentData: Hashable, Sendable {
    /// The allowed size of ``data`` in bytes: 1 byte to 16 MiB.
    public static let allowedSizes = 1...(16 << 20)

    /// The maximum length of the format identifier and of the version, in bytes of UTF-8.
    public static let maximumNameLength = 255

    /// The identifier of the recipe's format in reverse DNS, for example `org.edithost.sepia`: 1 to 255 bytes
    /// of UTF-8 without control characters.
    public let formatIdentifier: String

    /// The version of the format, for example `1.0`, with the same limits as ``formatIdentifier``.
    public let formatVersion: String

    /// The bytes of the recipe.
    public let data: Data

    /// Creates a recipe. It is validated when the edit is committed.
    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }

    /// Returns the recipe if it can be stored.
    ///
    /// - Throws: `InvalidValueError` with the code `emptyAdjustmentData`, `tooLargeAdjustmentData` or
    ///   `invalidAdjustmentFormat`.
    package func checked() throws(InvalidValueError) -> AdjustmentData {
        try Self.check(formatIdentifier, named: "format identifier")
        try Self.check(formatVersion, named: "format version")
        guard !data.isEmpty else {
            throw InvalidValueError.adjustmentData(
                .emptyAdjustmentData, " is empty; it must have at least one byte")
        }
        guard Self.allowedSizes.contains(data.count) else {
            throw InvalidValueError.adjustmentData(
                .tooLargeAdjustmentData,
                " is too large (\(data.count) bytes); the limit is 16 MiB")
        }
        return self
    }

    private static func check(
        _ name: String, named what: String
    ) throws(InvalidValueError) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard !name.isEmpty, name.utf8.count <= maximumNameLength, isPlain else {
            throw InvalidValueError.adjustmentData(
                .invalidAdjustmentFormat,
                "'s \(what) must be 1 to 255 bytes without control characters")
        }
    }
}
