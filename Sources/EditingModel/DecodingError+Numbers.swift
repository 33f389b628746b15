// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension DecodingError {
    /// The reason why ``isNumberMismatch(in:)`` is `true`.
    public static let numberMismatch = "a number is too large or not a whole number"

    /// Returns `true` if the JSON is valid, but one of its numbers does not fit in the type that was decoded.
    ///
    /// Foundation's decoder reports this as invalid JSON, without the path of the number.
    public func isNumberMismatch(in json: Data) -> Bool {
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty else {
            return false
        }
        return JSONLocator.syntaxError(in: json) == nil
    }
}
