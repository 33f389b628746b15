// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A recipe: what an edit did to its input, in the words of the extension that made it.
///
/// Equal input and equal recipe must give equal output. The host keeps the bytes and never looks
/// inside. What does not keep to the sizes named here is refused when the edit is committed.
public struct AdjustmentData: Hashable, Sendable {
    /// The sizes that ``data`` may have, in bytes: 1 byte to 16 MiB.
    public static let allowedSizes = 1...(16 << 20)

    /// The longest format identifier or version, in bytes of UTF-8.
    public static let maximumNameLength = 255

    /// The name of the recipe's format, in reverse DNS, for example `org.edithost.sepia`: 1 to 255
    /// bytes of UTF-8 without control characters.
    public let formatIdentifier: String

    /// The version of the format, for example `1.0`: as ``formatIdentifier``.
    public let formatVersion: String

    /// The recipe itself.
    public let data: Data

    /// Makes a recipe. Nothing is checked before it is committed.
    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }

    /// The recipe, where it can be stored.
    ///
    /// - Throws: `InvalidValueError`.
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
