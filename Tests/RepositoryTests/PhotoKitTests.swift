// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The promises of `docs/reference/photokit.md`.
@Suite("PhotoKit counterparts")
struct PhotoKitTests {
    private struct Line {
        let photoKit: String
        let counterparts: [String]
        /// The reason why no counterpart exists.
        let reason: String?
        /// Whether the line has counterparts or a reason.
        var isWhole: Bool { !counterparts.isEmpty || reason?.isEmpty == false }
    }

    /// The lines of the tables.
    private func table() throws -> [Line] {
        let path = "\(BuildProducts.packageFolder)/docs/reference/photokit.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
            let cells = line.split(separator: "|").map { quoted(String($0)) }
            guard cells.count >= 2, let name = cells[0].first else { return nil }
            let reason = line.firstRange(of: "not here: ").map { line[$0.upperBound...] }?
                .prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
            return Line(photoKit: name, counterparts: cells[1], reason: reason)
        }
    }

    /// The texts between backticks.
    private func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    @Test("E-16 each PhotoKit type in the table has an existing counterpart with the named members")
    func counterparts() throws {
        let declarations = try PublicDeclarations()
        let lines = try table()
        #expect(lines.count > 30)
        for line in lines {
            #expect(line.isWhole, "\(line.photoKit) has neither a counterpart nor a reason")
            for name in line.counterparts {
                #expect(declarations.has(name), "\(line.photoKit): there is no \(name)")
            }
        }
    }

    /// The PhotoKit names that the project's contract mentions.
    private func names() throws -> [String] {
        try String(
            contentsOfFile:
                "\(BuildProducts.packageFolder)/Tests/RepositoryTests/photokit-names.txt",
            encoding: .utf8
        ).split(separator: "\n").map(String.init)
    }

    /// The names without a complete line in a table.
    private func missing(_ names: [String], in table: [Line]) -> [String] {
        let known = Set(table.filter(\.isWhole).map(\.photoKit))
        return names.filter { !known.contains($0) }
    }

    @Test("E-16 every PhotoKit name of the contract is in the table, present or with a reason")
    func complete() throws {
        let (names, table) = (try names(), try table())
        #expect(names.count > 100 && Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("PH") })
        #expect(missing(names, in: table) == [])
        #expect(Set(table.map(\.photoKit)).count == table.count, "a name is there twice")
        // Without its line, each name is missing.
        for name in names {
            #expect(missing(names, in: table.filter { $0.photoKit != name }) == [name])
        }
        let silent = Line(photoKit: names[0], counterparts: [], reason: "")
        #expect(missing([names[0]], in: [silent]) == [names[0]])
    }

    // MARK: - Called symbols

    /// A name that PhotoKit programs call, and its counterparts in this package.
    private struct Symbol {
        let name: String
        /// Declarations, or empty if no counterpart exists.
        let here: [String]
        /// The reason why no counterpart exists.
        let reason: String?
    }

    /// The rows of `photokit-symbols.tsv`: a name, and declarations, `left out: REASON` or
    /// `planned: REASON`.
    private func symbols() throws -> [Symbol] {
        let text = try String(
            contentsOfFile:
                "\(BuildProducts.packageFolder)/Tests/RepositoryTests/photokit-symbols.tsv",
            encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            try #require(cells.count == 2, "\(line)")
            for word in ["left out: ", "planned: "] where cells[1].hasPrefix(word) {
                let reason = String(cells[1].dropFirst(word.count))
                return Symbol(name: String(cells[0]), here: [], reason: reason)
            }
            let here = cells[1].split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return Symbol(name: String(cells[0]), here: here, reason: nil)
        }
    }

    @Test("each PhotoKit call of real programs is declared or left out for a reason")
    func called() throws {
        let declarations = try PublicDeclarations()
        let symbols = try symbols()
        #expect(symbols.count >= 330)
        #expect(Set(symbols.map(\.name)).count == symbols.count, "a name is there twice")
        for symbol in symbols {
            if let reason = symbol.reason {
                #expect(!reason.isEmpty, "\(symbol.name)")
            } else {
                #expect(!symbol.here.isEmpty, "\(symbol.name)")
            }
            for name in symbol.here {
                #expect(declarations.has(name), "\(symbol.name): there is no \(name)")
            }
        }
    }

    @Test("only public declarations of the given type count")
    func declared() throws {
        let all = try PublicDeclarations()
        for name in [
            "Asset", "AssetMediaType", "AssetMediaType.image", "Asset.PlaybackStyle.livePhoto",
            "ChangeObserver.photoLibraryDidChange", "AssetResourceManager.default",
            "AssetPredicate.text", "AssetCollectionChangeRequest.init", "FetchResult.firstObject",
        ] {
            #expect(all.has(name), "\(name)")
        }
        for name in [
            "ShoeSize", "Asset.shoeSize", "PhotoLibrary.read", "PhotoLibrary.pool",
            "PredicateCompiler", "PredicateCompiler.sql", "AssetPredicate.TextKey.pixelWidth",
            "AssetPredicate.pixelWidth", "Asset.image", "PlaybackStyle.livePhoto.image",
        ] {
            #expect(!all.has(name), "\(name)")
        }
        let few = PublicDeclarations(
            source: """
                public enum Kind: Int {
                    case one = 1
                    case two(Other), three
                    func hidden() {}
                    public struct Inner
                    {
                        public let value: Int
                        let own: Int
                    }
                    // public var comment: Int
                }
                struct Own {
                    public let value: Int
                }
                extension Kind {
                    public static func made() -> Kind { .one }
                    package var packed: Int { 1 }
                }
                """)
        for name in ["Kind.one", "Kind.two", "Kind.Inner", "Kind.Inner.value", "Kind.made"] {
            #expect(few.has(name), "\(name)")
        }
        for name in [
            "Kind.hidden", "Kind.Other", "Kind.value", "Kind.Inner.own", "Kind.comment", "Own",
            "Own.value", "Kind.packed",
        ] {
            #expect(!few.has(name), "\(name)")
        }
    }
}
