// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput

/// The keywords of a library as a hierarchy.
struct KeywordTree {
    private let keywords: [(text: String, path: KeywordPath)]
    /// The keywords and the levels above them.
    private let branches: Set<KeywordPath>

    /// Creates a hierarchy of keywords.
    init(_ keywords: [String]) {
        self.keywords = keywords.map { ($0, KeywordPath($0)) }
        branches = Set(self.keywords.flatMap(\.path.branches))
    }

    /// Returns the keyword or level that a text names: by its levels, or by its last level.
    ///
    /// - Throws: `CommandEnd` if there is none, or more than one.
    func branch(named text: String) throws -> KeywordPath {
        var found = matches(text).map(\.text)
        if found.isEmpty { found = branches.filter { $0.name == text }.map(\.text) }
        found.sort()
        guard let only = found.first else {
            throw CommandEnd(
                status: .notFound,
                message: "there is no keyword \(text.printable); \"keyword list\" lists them")
        }
        guard found.count == 1 else {
            throw CommandEnd(
                status: .usage,
                message: "\(text.printable) is ambiguous; name one of "
                    + found.map(\.printable).joined(separator: ", "))
        }
        return KeywordPath(only)
    }

    /// Returns the keywords with these levels. A slash separates levels only if no keyword contains it.
    private func matches(_ text: String) -> [KeywordPath] {
        let path = KeywordPath(text)
        return branches.contains(path) ? [path] : branches.filter { $0.slashed == path.slashed }
    }

    /// Returns the new path of a keyword.
    ///
    /// - Parameters:
    ///   - text: The new keyword, as it was given.
    ///   - name: The text by which the old keyword was given.
    func target(_ text: String, renaming branch: KeywordPath, named name: String) -> KeywordPath {
        let isOneLevel = !text.contains("|") && !name.contains("|")
        // The old keyword was given by its name, which may contain a slash.
        if isOneLevel, branch.name == name, name.contains("/") || !text.contains("/") {
            return KeywordPath(branch.names.dropLast() + [text])
        }
        let known = matches(text)
        if known.count == 1 { return known[0] }
        return text.contains("|") ? KeywordPath(text) : KeywordPath(text, separator: "/")
    }

    /// Returns the keyword that a text names, or a new one, in which bars or slashes separate levels.
    ///
    /// - Parameters:
    ///   - text: The keyword that replaces others, as it was given.
    ///   - merged: The others, and the texts by which they were given.
    /// - Throws: `CommandEnd` if it names more than one.
    func target(
        _ text: String, merging merged: [(name: String, branch: KeywordPath)]
    ) throws -> KeywordPath {
        let known = branches.contains { $0.name == text } || !matches(text).isEmpty
        if known { return try branch(named: text) }
        // If all old names contain a slash, such as `f/2.8`, a slash is part of the new name too.
        let hasSlashes = merged.allSatisfy { $0.name.contains("/") && $0.branch.name == $0.name }
        if hasSlashes, !text.contains("|") {
            let places = Set(merged.map { Array($0.branch.names.dropLast()) })
            let place = places.count == 1 ? places.first ?? [] : []
            return KeywordPath(place + [text])
        }
        return text.contains("|") ? KeywordPath(text) : KeywordPath(text, separator: "/")
    }

    /// Returns a keyword and those below it.
    func keywords(in branch: KeywordPath) -> [String] {
        keywords.filter { $0.path.names.starts(with: branch.names) }.map(\.text)
    }

    /// Returns the new keywords by the old ones, if branches are merged. Keywords in the new branch stay.
    func keywords(
        in merged: [KeywordPath], mergedInto new: KeywordPath
    ) -> [String: String] {
        // The innermost branch of a keyword counts.
        let ordered = merged.sorted { $0.names.count < $1.names.count }
        var names: [String: String] = [:]
        for branch in ordered {
            let isKept: (String) -> Bool = { text in
                new.names.starts(with: branch.names)
                    && KeywordPath(text).names.starts(with: new.names)
            }
            names.merge(keywords(in: branch, renamed: new).filter { !isKept($0.key) }) { $1 }
        }
        return names
    }

    /// Returns the new keywords by the old ones.
    func keywords(in branch: KeywordPath, renamed new: KeywordPath) -> [String: String] {
        let renamed = keywords(in: branch).map { text in
            let below = KeywordPath(text).names.dropFirst(branch.names.count)
            return (text, KeywordPath(new.names + below).text)
        }
        // Keywords that differ only in Unicode composition are equal.
        return Dictionary(renamed) { first, _ in first }
    }
}
