// SPDX-License-Identifier: Apache-2.0

/// Why some bytes cannot be an `AdjustmentData`.
public struct AdjustmentDataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable {
        /// There are no bytes: a recipe may not be empty.
        case empty
        /// There are more bytes than `AdjustmentData.allowedSizes` allows.
        case tooLarge
        /// The format identifier or version is empty, too long or has control characters.
        case badName
    }

    /// What is wrong.
    public let code: Code
    /// The size or the name concerned.
    public let detail: String

    /// A sentence for people.
    public var description: String {
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
