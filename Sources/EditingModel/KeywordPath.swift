// SPDX-License-Identifier: Apache-2.0

/// A keyword with its place in a hierarchy, such as `Places|Europe|Iceland`.
///
/// As in Lightroom, a bar separates the levels, so a name can contain a slash, such as `f/2.8`.
package struct KeywordPath: Hashable, Sendable {
    /// The names of the levels, outermost first. A keyword outside a hierarchy has one.
    package let names: [String]

    /// Creates a path from its names. There must be at least one.
    package init(_ names: [String]) { self.names = names }

    /// Splits a keyword at its bars, or at another ASCII character. Empty names are dropped.
    package init(_ text: String, separator: Unicode.Scalar = "|") {
        let parts = text.unicodeScalars.split(separator: separator)
            .map { String(Substring($0)).trimmingBlanks }.filter { !$0.isEmpty }
        names = parts.isEmpty ? [text] : parts
    }

    /// Splits a keyword at a separator that may also be part of names.
    ///
    /// - Parameter known: Names that are not split, such as `f/2.8`. Shorter names take precedence.
    package init(_ text: String, separator: Unicode.Scalar, joining known: Set<String>) {
        self.init(text, separator: separator)
        guard names.count > 1, names.count <= Self.maximumJoinedLevels else { return }
        var joined: [String] = []
        var end = names.count
        while end > 0 {
            let starts = (0..<end).reversed()
            let name: (Int) -> String = { [names] start in
                names[start..<end].joined(separator: String(separator))
            }
            let start = starts.first { known.contains(name($0)) } ?? end - 1
            joined.append(name(start))
            end = start
        }
        self.init(joined.reversed())
    }

    /// The maximum number of levels among which names with the separator are searched.
    private static let maximumJoinedLevels = 32

    /// Whether a text has no level with a name.
    package static func isBlank(_ text: String) -> Bool {
        text.allSatisfy { $0.isWhitespace || $0 == "|" }
    }

    /// The keyword as it is stored, with bars between the names.
    package var text: String { names.joined(separator: "|") }

    /// The name without the levels above it.
    package var name: String { names.last ?? "" }

    /// Whether the keyword is below another.
    package var isNested: Bool { names.count > 1 }

    /// The names joined by slashes, as digiKam writes them. A name may itself contain slashes.
    package var slashed: String { names.joined(separator: "/") }

    /// Whether this is the given keyword or one below it. The keyword may be given by its name alone, and its levels
    /// may be separated by slashes.
    package func isInBranch(_ keyword: String) -> Bool {
        if names.contains(keyword) { return true }
        let (own, other) = (slashed, Self.slashed(keyword))
        return own == other || own.hasPrefix(other + "/")
    }

    /// Whether a text is this keyword with all of its levels, separated by bars or slashes.
    package func isNamed(_ text: String) -> Bool { slashed == Self.slashed(text) }

    /// Returns a keyword that may contain bars, with slashes instead.
    private static func slashed(_ text: String) -> String {
        text.unicodeScalars.contains("|") ? KeywordPath(text).slashed : text
    }

    /// The keyword and the levels above it, outermost first.
    package var branches: [KeywordPath] {
        names.indices.map { KeywordPath(Array(names[...$0])) }
    }

    /// Returns the names of keywords without duplicates.
    package static func names(of keywords: [String]) -> [String] {
        var known: Set<String> = []
        return keywords.map { KeywordPath($0).name }.filter { known.insert($0).inserted }
    }

    /// Returns the names of all levels of keywords without duplicates, for lists without hierarchies.
    package static func allNames(of keywords: [String]) -> [String] {
        var known: Set<String> = []
        return keywords.flatMap { KeywordPath($0).names }.filter { known.insert($0).inserted }
    }

    /// Joins a file's keywords with those of its hierarchies, which often repeat them level by level.
    ///
    /// - Parameters:
    ///   - plain: The keywords of lists without hierarchies.
    ///   - placed: The keywords of lists with hierarchies. They may have one level.
    /// - Returns: The plain keywords that are not levels of a hierarchy, followed by the hierarchies.
    package static func joining(_ plain: [String], _ placed: [KeywordPath]) -> [String] {
        if placed.isEmpty { return plain }
        let nested = placed.filter(\.isNested)
        let single = Set(placed.lazy.filter { !$0.isNested }.map(\.text))
        let levels = Set(nested.flatMap(\.names)).subtracting(single)
        let known = Set(plain)
        // Plain lists may write a level in another case.
        let others = Set(levels.subtracting(known).map { $0.lowercased() })
        let isLevel: (String) -> Bool = {
            levels.contains($0) || !single.contains($0) && others.contains($0.lowercased())
        }
        return plain.filter { !isLevel($0) }
            + placed.filter { $0.isNested || !known.contains($0.text) }.map(\.storable)
    }

    /// The text, or only the name if the text is too long for a library.
    private var storable: String { PhotoMetadata.text(text) ?? name }
}
