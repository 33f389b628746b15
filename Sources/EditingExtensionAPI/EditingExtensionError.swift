// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// A failure of an extension, or of the host on its behalf.
public struct EditingExtensionError: DescribedError, Hashable {
    /// The kind of a failure. The raw values are those of the C contract's `ee_status`.
    public enum Code: Int32, Sendable {
        /// A general failure.
        case failed = 1
        /// A parameter has an invalid value, or does not exist.
        case badParameter = 2
        /// The recipe cannot be read.
        case badAdjustment = 3
        /// The host or the extension does not support the operation.
        case unsupported = 4
        /// The edit was cancelled.
        case cancelled = 5
        /// The user discarded the edit, which is not a failure. For the completion handler only.
        case discarded = 6
    }

    /// The error to pass to the completion handler of an edit that the user discarded. Nothing is committed.
    public static let discarded = EditingExtensionError(
        code: .discarded, message: "the edit was discarded")

    /// The kind of the failure.
    public let code: Code
    /// A description of the failure and of how to resolve it.
    public let message: String

    /// Creates an error from a code and a message.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension EditingExtensionError {
    /// Converts any error to the form in which it crosses the C contract.
    init(_ error: any Error) {
        self = error as? EditingExtensionError ?? Self(code: .failed, message: "\(error)")
    }

    /// Creates the error that a host function returned. Nil if the status is `EE_OK`.
    init?(status: ee_status, _ error: ee_error) {
        guard status != ee_status(EE_OK) else { return nil }
        let text = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(code: Code(rawValue: status) ?? .failed, message: text)
    }

    /// Writes the message, truncated to the size of the buffer, and returns the status.
    func write(to error: UnsafeMutablePointer<ee_error>?) -> ee_status {
        if let error {
            withUnsafeMutableBytes(of: &error.pointee.message) { buffer in
                let bytes = message.utf8PrefixOfWholeCharacters(maximum: buffer.count - 1)
                buffer.copyBytes(from: bytes)
                buffer[bytes.count] = 0
            }
        }
        return code.rawValue
    }
}

extension String {
    /// The longest prefix of at most `maximum` bytes that does not split a character. It ends before a NUL, which would
    /// terminate the C string.
    fileprivate func utf8PrefixOfWholeCharacters(maximum: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in unicodeScalars.prefix(while: { $0.value != 0 }) {
            let next = UTF8.encode(scalar).map(Array.init) ?? []
            guard bytes.count + next.count <= maximum else { break }
            bytes += next
        }
        return bytes
    }
}
