// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore

/// The parameters in the query of a request.
struct Query: Sendable {
    private let values: FlatDictionary<Substring, Substring>

    init(_ request: Request) { values = request.uri.queryParameters }

    /// Returns the value of a parameter, or nil if it is missing.
    func text(_ name: String) -> String? { values[name[...]].map(String.init) }

    /// Returns all values of a parameter that may be repeated.
    func texts(_ name: String) -> [String] { values[values: name[...]].map(String.init) }

    /// Returns the value of a parameter.
    ///
    /// - Throws: `StudioError` with `invalidRequest` if it is missing.
    func required(_ name: String) throws(StudioError) -> String {
        guard let text = text(name) else {
            throw StudioError(.invalidRequest, "\(name) is missing")
        }
        return text
    }

    /// Returns the value of a parameter that is an integer, or nil if it is missing.
    ///
    /// - Throws: `StudioError` with `invalidRequest` if it is not an integer of the range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(StudioError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw StudioError(
                .invalidRequest,
                "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the value of a parameter that is one of several words, or nil if it is missing.
    ///
    /// - Throws: `StudioError` with `invalidRequest` if it is another word.
    func choice<Value>(_ name: String, of choices: [String: Value]) throws(StudioError) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = choices[text] else {
            throw StudioError(
                .invalidRequest,
                "\(name) must be \(choices.keys.sorted().joined(separator: " or "))")
        }
        return value
    }

    /// Returns the value of a parameter that is a number.
    ///
    /// - Throws: `StudioError` with `invalidRequest` if it is missing or not finite.
    func number(_ name: String) throws(StudioError) -> Double {
        _ = try required(name)
        return try numbers(name, count: 1)?.first ?? 0
    }

    /// Returns the value of a parameter that is a list of numbers, or nil if it is missing.
    ///
    /// - Throws: `StudioError` with `invalidRequest` if it has another count or is not finite.
    func numbers(_ name: String, count: Int) throws(StudioError) -> [Double]? {
        guard let text = text(name) else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .compactMap { Double($0) }.filter(\.isFinite)
        guard numbers.count == count else {
            throw StudioError(.invalidRequest, "\(name) must be \(count) numbers with commas")
        }
        return numbers
    }
}
