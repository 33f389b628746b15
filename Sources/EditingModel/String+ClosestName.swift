// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Returns the name that this string most likely misspells.
    ///
    /// Names are compared by optimal string alignment distance, ignoring case: insertions, deletions,
    /// substitutions and transpositions of adjacent characters. At most one edit is allowed for every three
    /// characters.
    ///
    /// - Returns: The first of the closest names; `nil` if none is close enough.
    package func closest(among names: some Sequence<String>) -> String? {
        let typed = Array(lowercased())
        // Longer strings are pasted rather than typed, so no typo is assumed.
        guard (2...64).contains(typed.count) else { return nil }
        let limit = max(1, typed.count / 3)
        var closest: (name: String, distance: Int)?
        for name in names {
            let letters = Array(name.lowercased())
            guard abs(letters.count - typed.count) <= limit else { continue }
            let distance = Self.distance(typed, letters)
            if distance <= limit, distance < closest?.distance ?? .max {
                closest = (name, distance)
            }
        }
        return closest?.name
    }

    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                let isEqual = first[row] == second[column]
                var best = Swift.min(
                    last[column + 1] + 1, current[column] + 1, last[column] + (isEqual ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1],
                    first[row - 1] == second[column]
                {
                    best = Swift.min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}

extension Optional where Wrapped == String {
    /// The suffix of an error message that suggests the name; empty if there is no suggestion.
    package var suggestion: String { map { "; did you mean \"\($0)\"?" } ?? "" }
}
