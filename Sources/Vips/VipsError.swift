// SPDX-License-Identifier: Apache-2.0

import CVips

/// A failure of libvips, or of this module before it calls libvips.
public struct VipsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Code: String, Sendable {
        /// libvips reported an error while running the operation.
        case operationFailed
        /// libvips has no operation with this name, or it is blocked.
        case unknownOperation
        /// The operation has no argument with this name.
        case unknownArgument
        /// The argument's value has the wrong type or is out of range.
        case invalidValue
        /// The operation does not support the image's band format.
        case unsupportedFormat
        /// The calling code is compiled for instructions that this processor lacks.
        case unsupportedProcessor
        /// The image has no metadata field with this name and type.
        case noSuchField
        /// Reading or writing a file descriptor failed.
        case inputOutput
    }

    /// The kind of the failure.
    public let code: Code
    /// The name of the operation or function that failed.
    public let operation: String
    /// The description of the failure, from libvips if available. Not empty.
    public let message: String

    /// Creates an error from a code, an operation and a message.
    public init(code: Code, operation: String, message: String) {
        self.code = code
        self.operation = operation
        self.message = message
    }

    /// A human-readable description: the operation and the message.
    public var description: String { "\(operation): \(message)" }

    /// Returns the error of the libvips call that has just failed, and clears libvips' error buffer.
    ///
    /// The buffer is shared by the whole process. Call this right after the failing call. If operations fail
    /// concurrently, their messages may be mixed.
    public static func last(in operation: String, code: Code = .operationFailed) -> VipsError {
        VipsError(code: code, operation: operation, message: takeMessage())
    }

    /// Appends a line to libvips' error buffer, for a callback that reports a failure to libvips.
    static func append(_ message: String, in domain: String) {
        // `vips_error` is variadic, which Swift cannot call. `vips_verror` with an empty list would interpret "%" in
        // the message.
        let text = message.replacingPercentSigns
        withVaList([]) { vips_verror(domain, text, $0) }
    }

    /// Clears libvips' process-wide error buffer. Some calls leave messages there without failing; they would
    /// become part of the next error.
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
