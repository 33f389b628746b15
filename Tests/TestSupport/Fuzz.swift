// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random and mutated input.
public enum Fuzz {
    /// Random bytes.
    public static func bytes(_ count: Int, using random: inout some RandomNumberGenerator) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// A random element of a non-empty array.
    public static func pick<Value>(
        _ values: [Value], using random: inout some RandomNumberGenerator
    ) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    /// A copy with one to four changes: a byte changed, or bytes removed, inserted, repeated or
    /// truncated.
    public static func mutated(
        _ data: Data, using random: inout some RandomNumberGenerator
    ) -> Data {
        var result = Array(data)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !result.isEmpty else { break }
            let place = Int.random(in: 0..<result.count, using: &random)
            let end = min(result.count, place + Int.random(in: 1...16, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: result[place] = pick([0, 0x7F, 0x80, 0xFF, 0x22, 0x5B], using: &random)
            case 2: result.removeSubrange(place..<end)
            case 3: result.insert(contentsOf: bytes(end - place, using: &random), at: place)
            case 4: result.insert(contentsOf: result[place..<end], at: place)
            default: result.removeSubrange(place...)
            }
        }
        return Data(result)
    }

    /// JSON with one value replaced, usually by an unusual one of the same type.
    public static func mutatedJSON(
        _ json: Data, using random: inout some RandomNumberGenerator
    ) -> Data {
        var text = String(decoding: json, as: UTF8.self)
        let values = text.matches(of: /"[^"]*"(:?)|-?[0-9.]+|true|false|null|\[|\{/)
            .filter { $0.1?.isEmpty ?? true || Int.random(in: 0..<10, using: &random) == 0 }
        guard !values.isEmpty else { return json }
        let old = pick(values, using: &random)
        var choices = strings + numbers + others
        if Int.random(in: 0..<10, using: &random) > 0 {
            if old.0.hasPrefix("\"") { choices = strings }
            if old.0.first?.isNumber ?? false { choices = numbers }
        }
        text.replaceSubrange(old.range, with: pick(choices, using: &random))
        return Data(text.utf8)
    }

    private static let numbers = [
        "0", "-1", "1", "2147483648", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615", "99999999999999999999999", "1e308", "-1e308", "1e999", "0.1",
        "1e-320",
    ]
    private static let strings = [
        #""""#, #""\u0000""#, #""\ud800""#, #""../../etc/passwd""#, #""\u202e\u001b[31m""#,
        #""%s%n""#, #""/dev/null""#, #""{}""#, #""srgb""#, #""AAAA""#,
        "\"\(String(repeating: "a", count: 300))\"",
    ]
    private static let others = [
        "NaN", "true", "null", "[]", "{}", "[[[[[[[[]]]]]]]]", #"{"_0":{}}"#,
        String(repeating: "[", count: 2000), String(repeating: #"{"a":"#, count: 600),
    ]
}
