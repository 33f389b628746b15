// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What `docs/photokit.md` promises.
@Suite("Coming from PhotoKit")
struct PhotoKitTests {
    private struct Line {
        let photoKit: String
        let counterparts: [String]
        /// Why there is none.
        let reason: String?
        /// Whether it says what there is, or why there is nothing.
        var isWhole: Bool { !counterparts.isEmpty || reason?.isEmpty == false }
    }

    /// The lines of the tables.
    private func table() throws -> [Line] {
        let text = try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/docs/photokit.md", encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
            let cells = line.split(separator: "|").map { quoted(String($0)) }
            guard cells.count >= 2, let name = cells[0].first else { return nil }
            let reason = line.firstRange(of: "not here: ").map { line[$0.upperBound...] }?
                .prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
            return Line(photoKit: name, counterparts: cells[1], reason: reason)
        }
    }

    /// What stands between backticks.
    private func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// What the sources have for programs to use.
    private struct Declarations {
        /// The public types.
        var types: Set<String> = []
        /// The sources that declare or extend a type.
        var sources: [String: [String]] = [:]
    }

    private func declarations() throws -> Declarations {
        let root = "\(BuildProducts.packageFolder)/Sources"
        let files =
            FileManager.default.enumerator(atPath: root)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        var found = Declarations()
        for file in files {
            let source = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
            for line in source.split(separator: "\n") {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                guard
                    let index = words.firstIndex(where: { kinds.contains($0) || $0 == "extension" }
                    ),
                    index + 1 < words.count
                else { continue }
                let name = String(words[index + 1])
                let isPublic = words[..<index].first == "public"
                if isPublic, words[index] != "extension" { found.types.insert(name) }
                guard isPublic || words[index] == "extension" else { continue }
                found.sources[name, default: []].append(source)
            }
        }
        return found
    }

    @Test("E-16 each type of PhotoKit has a counterpart that is there, with the members named")
    func counterparts() throws {
        let declarations = try declarations()
        let lines = try table()
        #expect(lines.count > 30)
        for line in lines {
            #expect(line.isWhole, "\(line.photoKit) has neither a counterpart nor a reason")
            for name in line.counterparts {
                let parts = name.split(separator: ".").map(String.init)
                #expect(declarations.types.contains(parts[0]), "there is no type \(parts[0])")
                guard parts.count == 2 else { continue }
                // Members of a protocol and cases have no access of their own.
                let member = try Regex(
                    "(public [a-z() ]*(func|var|let)|^    (func|var)|\\bcase) `?\(parts[1])\\b"
                ).anchorsMatchLineEndings()
                let hasMember = declarations.sources[parts[0], default: []]
                    .contains { $0.contains(member) }
                #expect(hasMember, "there is no \(name)")
            }
        }
    }

    /// The names of PhotoKit that the project's contract mentions.
    private func names() throws -> [String] {
        try String(
            contentsOfFile:
                "\(BuildProducts.packageFolder)/Tests/RepositoryTests/photokit-names.txt",
            encoding: .utf8
        ).split(separator: "\n").map(String.init)
    }

    /// The names of which a table says nothing.
    private func missing(_ names: [String], in table: [Line]) -> [String] {
        let known = Set(table.filter(\.isWhole).map(\.photoKit))
        return names.filter { !known.contains($0) }
    }

    @Test("E-16 every name of PhotoKit that the contract has is in the table, here or not, and why")
    func complete() throws {
        let (names, table) = (try names(), try table())
        #expect(names.count > 100 && Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("PH") })
        #expect(missing(names, in: table) == [])
        #expect(Set(table.map(\.photoKit)).count == table.count, "a name is there twice")
        // Each line counts: without it, its name is missed.
        for name in names {
            #expect(missing(names, in: table.filter { $0.photoKit != name }) == [name])
        }
        let silent = Line(photoKit: names[0], counterparts: [], reason: "")
        #expect(missing([names[0]], in: [silent]) == [names[0]])
    }
}
