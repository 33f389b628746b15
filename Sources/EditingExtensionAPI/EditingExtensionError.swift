// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// Why an extension, or the host for it, could not do something.
public struct EditingExtensionError: DescribedError, Hashable {
    /// What kind of failure it is. The raw values are those of the C contract's `ee_status`.
    public enum Code: Int32, Sendable {
        /// The work could not be done.
        case failed = 1
        /// A parameter's value is unusable.
        case badParameter = 2
        /// The recipe cannot be read.
        case badAdjustment = 3
        /// The host or the extension cannot do this.
        case unsupported = 4
        /// Stopped because the edit was cancelled.
        case cancelled = 5
        /// For the completion handler alone: the user discarded the edit, which is no failure.
        case discarded = 6
    }

    /// What goes to the completion handler of an edit that the user discarded: nothing is committed.
    public static let discarded = EditingExtensionError(
        code: .discarded, message: "the edit was discarded")

    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do.
    public let message: String

    /// Makes an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension EditingExtensionError {
    /// Any error in the form in which it crosses the C contract.
    init(_ error: any Error) {
        self = error as? EditingExtensionError ?? Self(code: .failed, message: "\(error)")
    }

    /// What a call of the host left. Nil where the status is `EE_OK`.
    init?(status: ee_status, _ error: ee_error) {
        guard status != ee_status(EE_OK) else { return nil }
        let text = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(code: Code(rawValue: status) ?? .failed, message: text)
    }

    /// Writes the message, cut to the room there is, and gives the status to return.
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
    /// The first bytes, cut between characters. NUL ends a C string and so this too.
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
