// SPDX-License-Identifier: Apache-2.0

import CVips

/// Why libvips, or this room before calling it, could not do something.
public struct VipsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: String, Sendable {
        /// libvips reported an error while it ran the operation.
        case operationFailed
        /// libvips has no operation of this name, or it is blocked.
        case unknownOperation
        /// The operation has no argument of this name.
        case unknownArgument
        /// The argument's value has the wrong type or is out of range.
        case invalidValue
        /// The image's band format is one that the operation does not take.
        case unsupportedFormat
        /// The code that calls is compiled for another processor.
        case unsupportedProcessor
        /// The image has no metadata field of this name and type.
        case noSuchField
        /// Reading or writing a file descriptor failed.
        case inputOutput
    }

    /// What kind of failure it is.
    public let code: Code
    /// The operation, or the function, that failed.
    public let operation: String
    /// What happened, in libvips' words where it had any. Not empty.
    public let message: String

    /// Makes an error.
    public init(code: Code, operation: String, message: String) {
        self.code = code
        self.operation = operation
        self.message = message
    }

    /// A sentence for people.
    public var description: String { "\(operation): \(message)" }

    /// The error of the libvips call that has just failed.
    ///
    /// Takes libvips' message and empties its buffer. The buffer is one for the process: call this
    /// at the failing call, and expect mixed messages when operations fail at the same time.
    public static func last(in operation: String, code: Code = .operationFailed) -> VipsError {
        VipsError(code: code, operation: operation, message: takeMessage())
    }

    /// Adds a line to libvips' error buffer, for a callback that must tell libvips that it failed.
    static func append(_ message: String, in domain: String) {
        // vips_error is variadic; vips_verror with an empty list takes "%" for itself.
        let text = message.replacingPercentSigns
        withVaList([]) { vips_verror(domain, text, $0) }
    }

    /// Empties libvips' buffer of messages, which is one for the process. What some calls leave there
    /// without failing would be told of the next failure.
    public static func clear() { vips_error_clear() }

    private static func takeMessage() -> String {
        guard let buffer = vips_error_buffer_copy() else { return "no message" }
        defer { g_free(buffer) }
        var text = Substring(String(cString: buffer))
        while text.last?.isWhitespace == true { text.removeLast() }
        return text.isEmpty ? "failed without a message" : String(text)
    }
}

extension String {
    fileprivate var replacingPercentSigns: String {
        reduce(into: "") { $0 += $1 == "%" ? "%%" : String($1) }
    }
}
