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
    /// - Throws: `AdjustmentDataError`.
    package func checked() throws(AdjustmentDataError) -> AdjustmentData {
        try Self.check(formatIdentifier, named: "format identifier")
        try Self.check(formatVersion, named: "format version")
        guard !data.isEmpty else { throw AdjustmentDataError(code: .empty, detail: "") }
        guard Self.allowedSizes.contains(data.count) else {
            throw AdjustmentDataError(code: .tooLarge, detail: "\(data.count) bytes")
        }
        return self
    }

    private static func check(
        _ name: String, named what: String
    ) throws(AdjustmentDataError) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard !name.isEmpty, name.utf8.count <= maximumNameLength, isPlain else {
            throw AdjustmentDataError(code: .badName, detail: what)
        }
    }
}

/// Why a recipe cannot be stored.
package struct AdjustmentDataError: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    package enum Code: String, Sendable {
        /// There are no bytes: a recipe may not be empty.
        case empty
        /// There are more bytes than `AdjustmentData.allowedSizes` allows.
        case tooLarge
        /// The format identifier or version is empty, too long or has control characters.
        case badName
    }

    /// What is wrong.
    package let code: Code
    /// The size or the name concerned.
    package let detail: String

    /// A sentence for people.
    package var description: String {
        switch code {
        case .empty:
            "the adjustment data is empty; an extension must return at least one byte"
        case .tooLarge:
            "the adjustment data is too large (\(detail)); the limit is 16 MiB"
        case .badName:
            "the adjustment data's \(detail) must be 1 to 255 bytes without control characters"
        }
    }
}
