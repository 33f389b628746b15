// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The page of promises, and the tests that verify them.
@Suite("promises")
struct PromisesTests {
    private static let root = BuildProducts.packageFolder
    private static let page = "docs/reference/promises.md"

    /// A row of the page.
    private struct Promise {
        let id: String
        let sentence: String
        /// The paths of its tests in the repository.
        let files: [String]
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8)
    }

    private func promises() throws -> [Promise] {
        try text(Self.page).matches(of: #/(?m)^\| ([A-Z]-\d\d) \| (.*) \| (.*) \|$/#).map { row in
            let links = row.3.matches(of: #/\]\(\.\./\.\./([^)]+)\)/#)
            return Promise(
                id: String(row.1), sentence: String(row.2), files: links.map { String($0.1) })
        }
    }

    /// The display names of tests and suites in a source.
    private func displayNames(in source: String) -> [String] {
        let literal =
            #/@(?:Test|Suite)\(\s*(?:"""(?<lines>[\s\S]*?)"""|"(?<line>(?:[^"\\\n]|\\.)*)")/#
        return source.matches(of: literal).map { match in
            String(match.output.lines ?? match.output.line ?? "")
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// The ids that a display name starts with.
    private func ids(of name: String) -> [String] {
        guard let ids = name.prefixMatch(of: #/(?:[A-Z]{1,2}-\d+ )+/#) else { return [] }
        return ids.output.split(separator: " ").map(String.init)
    }

    /// The ids in each file of tests.
    private func idsOfFiles() throws -> [String: Set<String>] {
        let files =
            FileManager.default.enumerator(atPath: "\(Self.root)/Tests")?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
        var found: [String: Set<String>] = [:]
        for file in files {
            let names = displayNames(in: try text("Tests/\(file)"))
            found["Tests/\(file)"] = Set(names.flatMap(ids))
        }
        return found
    }

    @Test("each id on the page is in a display name of each test file named with it")
    func held() throws {
        let found = try idsOfFiles()
        let promises = try promises()
        #expect(promises.count > 150)
        #expect(Set(promises.map(\.id)).count == promises.count, "an id is listed twice")
        for promise in promises {
            #expect(!promise.sentence.isEmpty && !promise.files.isEmpty, "\(promise.id)")
            for file in promise.files {
                #expect(found[file]?.contains(promise.id) == true, "\(promise.id): \(file)")
            }
        }
    }

    @Test("each id in a display name is on the page")
    func listed() throws {
        let listed = Set(try promises().map(\.id))
        for (file, ids) in try idsOfFiles() {
            #expect(ids.subtracting(listed).isEmpty, "\(file): \(ids.subtracting(listed))")
        }
    }

    @Test("display names are read from one line, the next line and a multi-line string")
    func names() {
        let quotes = String(repeating: "\"", count: 3)
        let test = "@" + "Test("
        let source = """
            \(test)"A-01 one")
            \(test)
                "A-02 A-03 a \\"quoted\\" name", .torture)
            \(test)\(quotes)
                R-04 lines
                \(quotes))
            \(test)arguments: ["A-05 no name"])
            """
        let found = displayNames(in: source)
        #expect(found.count == 3)
        #expect(found.map(ids) == [["A-01"], ["A-02", "A-03"], ["R-04"]])
    }
}
