// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Statements of the documentation that a test can check.
@Suite("documentation")
struct DocumentationTests {
    private static let root = BuildProducts.packageFolder

    /// The paths of README and all pages in `docs/`.
    private static let pages: [String] = {
        let found =
            FileManager.default.enumerator(atPath: "\(root)/docs")?
            .compactMap { $0 as? String } ?? []
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return (top + found.map { "docs/\($0)" }).filter { $0.hasSuffix(".md") }.sorted()
    }()

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8)
    }

    /// The lines of a text without their indentation.
    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    // MARK: - Code

    /// The code blocks of a language.
    private func blocks(_ language: String, in page: String) throws -> [String] {
        try text(page).components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    /// The contents of files with an extension, in `Examples/` by default.
    private func examples(_ ending: String, in folder: String = "Examples") throws -> [String] {
        let files =
            FileManager.default.enumerator(atPath: "\(Self.root)/\(folder)")?
            .compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(ending) }.map { try text("\(folder)/\($0)") }
    }

    /// The examples and shipped extensions are compiled: some by the package, the others by the
    /// tests of plug-ins.
    @Test("each Swift block on a page is in an example, line by line", arguments: pages)
    func swift(page: String) throws {
        let sources = try examples(".swift") + examples(".swift", in: "Plugins")
        for block in try blocks("swift", in: page) {
            let wanted = lines(block)
            let exists = sources.map(lines).contains { $0.contains(wanted) }
            #expect(exists, "\(page): no example has\n\(block)")
        }
    }

    /// Examples and the tests' own plug-ins are compiled and run by tests.
    @Test("each C block on a page is in a plug-in, line by line", arguments: pages)
    func c(page: String) throws {
        let plugIns =
            try examples(".c") + examples(".c", in: "Tests/TestSupport/Plugins")
        for block in try blocks("c", in: page) {
            let wanted = lines(block)
            let exists = plugIns.map(lines).contains { $0.contains(wanted) }
            #expect(exists, "\(page): no plug-in has\n\(block)")
        }
    }

    @Test("README shows a complete plug-in file except for its licence")
    func plugIn() throws {
        let file = try text("Examples/BrightnessSwift/Brightness.swift")
        let code = file.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)[2]
        #expect(try blocks("swift", in: "README.md") == [String(code)])
    }

    @Test("the guide to the library has Swift in each section")
    func programs() throws {
        let page = try text("docs/guides/use-the-library.md")
        let sections = page.components(separatedBy: "\n## ").dropFirst()
        #expect(sections.count >= 8)
        for section in sections {
            #expect(section.contains("```swift\n"), "\(section.prefix { $0 != "\n" })")
        }
    }

    // MARK: - Links

    /// The link anchors of a page's headings.
    private func anchors(_ page: String) throws -> Set<String> {
        let headings = try text(page).split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
                let kept = words.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                return kept.replacingOccurrences(of: " ", with: "-")
            })
    }

    @Test("every link leads to an existing file and heading", arguments: pages)
    func links(page: String) throws {
        let folder = (page as NSString).deletingLastPathComponent
        for match in try text(page).matches(of: #/\]\(([^)\s]+)\)/#) {
            let link = String(match.1)
            guard !link.contains("://") else { continue }
            let parts = link.split(
                separator: "#", maxSplits: 1, omittingEmptySubsequences: false
            ).map(String.init)
            let path = NSString(string: "\(folder)/\(parts[0])").standardizingPath
            let target = parts[0].isEmpty ? page : path.drop { $0 == "/" }.description
            let exists = FileManager.default.fileExists(atPath: "\(Self.root)/\(target)")
            #expect(exists, "\(page): \(link)")
            guard parts.count == 2, exists else { continue }
            #expect(try anchors(target).contains(parts[1]), "\(page): \(link)")
        }
    }

    @Test("docs/README.md links to every page, and to every decision by its title")
    func index() throws {
        let index = try text("docs/README.md")
        for page in Self.pages where page.hasPrefix("docs/") && page != "docs/README.md" {
            let name = page.dropFirst("docs/".count)
            guard name.hasPrefix("design/decisions/") else {
                #expect(index.contains("](\(name))"), "\(name)")
                continue
            }
            let heading = try text(page).prefix { $0 != "\n" }
            let parts = heading.dropFirst(2).split(separator: " ", maxSplits: 1)
            #expect(index.contains("\(parts[0]) [\(parts[1])](\(name))"), "\(heading)")
        }
    }

    // MARK: - Facts

    @Test("the reference lists every version of the database")
    func schema() throws {
        let sources =
            FileManager.default.enumerator(atPath: "\(Self.root)/Sources/Library")?
            .compactMap { $0 as? String } ?? []
        let code = try sources.filter { $0.hasSuffix(".swift") }
            .map { try text("Sources/Library/\($0)") }.joined()
        let steps = code.matches(of: #/Step\(name: "(\d+): /#).map { String($0.1) }
        #expect(steps.count >= 3)
        let page = try text("docs/reference/library-format.md")
        let table = page.components(separatedBy: "\n| version |").last?
            .components(separatedBy: "\n\n").first
        let rows = (table ?? "").matches(of: #/\n\| (\d+) \|/#).map { String($0.1) }
        #expect(rows == steps)
    }
}
