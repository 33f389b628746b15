// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A time in a video: `2.5`, `2.5s`, `500ms`, `1:02.5`, `1:00:00`.
struct VideoTime: ExpressibleByArgument {
    /// The time in seconds, at least 0.
    let seconds: Double

    init?(argument: String) {
        let text = argument.lowercased()
        if text.hasSuffix("ms") {
            guard let value = Self.number(text.dropLast(2)) else { return nil }
            seconds = value / 1000
            return
        }
        let parts = (text.hasSuffix("s") ? text.dropLast() : text[...])
            .split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var sum = 0.0
        for (index, part) in parts.enumerated() {
            // Only the first part may exceed its unit, and only the last part may have a fraction.
            guard let value = Self.number(part), index == 0 || value < 60,
                index == parts.count - 1 || !part.contains(".")
            else { return nil }
            sum = sum * 60 + value
        }
        seconds = sum
    }

    /// Parses digits with an optional decimal point. `Double.init` also accepts signs, exponents and infinity.
    private static func number(_ text: Substring) -> Double? {
        guard text.allSatisfy({ "0123456789.".contains($0) }), let value = Double(text),
            value <= 1e6
        else { return nil }
        return value
    }
}
