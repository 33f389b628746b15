// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The commands that README and other pages show. README's session is run and compared.
@Suite("README")
struct ReadmeTests {
    /// A command and its output. A line `…` stands for any number of lines.
    private struct Step {
        let command: String
        var output: [String] = []
    }

    private static let readme = Result {
        try String(contentsOfFile: "\(BuildProducts.packageFolder)/README.md", encoding: .utf8)
    }

    /// The commands that README shows with their output, in order.
    private static func steps() throws -> [Step] {
        var steps: [Step] = []
        for block in try readme.get().components(separatedBy: "```").enumerated()
        where block.offset % 2 == 1 && block.element.hasPrefix("\n$ ") {
            for line in block.element.split(separator: "\n").map(String.init) {
                if line.hasPrefix("$ edithost ") {
                    steps.append(Step(command: String(line.dropFirst("$ edithost ".count))))
                } else {
                    steps[steps.count - 1].output.append(line)
                }
            }
        }
        return steps
    }

    /// Replaces the names in `known` and everything that differs between runs.
    private static func fixed(_ lines: [String], _ known: [String: String]) -> [String] {
        lines.map { line in
            var line = line
            for (identifier, name) in known {
                line = line.replacing(identifier, with: name)
            }
            // The first part of an identifier is enough. Column widths vary because dates lose trailing zeros.
            return line.replacing(#/(-[0-9a-f]{4,12}){4}/#, with: "")
                .replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#, with: "DATE")
                .replacing(#/[0-9a-f]{8}/#, with: "HEX").replacing(#/ {2,}/#, with: "  ")
        }
    }

    /// Whether the lines are those expected.
    private static func matches(_ lines: [String], _ expected: [String]) -> Bool {
        guard let gap = expected.firstIndex(of: "…") else { return lines == expected }
        let (before, after) = (expected[..<gap], expected[(gap + 1)...])
        return lines.count >= before.count + after.count
            && lines.prefix(before.count) == before && lines.suffix(after.count) == after
    }

    @Test("the session in README prints what README shows")
    func session() throws {
        let bench = try Workbench(extensions: ["SepiaFilter", "CropRotate"])
        let steps = try Self.steps()
        #expect(steps.count >= 6)
        // The identifiers of the photos that README shows, and the number that it imports.
        let imported = steps[0].output.filter { $0.hasPrefix("imported ") }
            .map { $0.split(separator: " ").map(String.init) }
        let shown = imported.map { $0[1] }
        let paths = imported.map { $0[2] }
        let summary = try #require(steps[0].output.last)
        let count = try #require(Int(summary.prefix { $0.isNumber }))
        for number in 0..<count {
            // Photos that README omits are imported last.
            let path = paths[safe: number] ?? "demo/photos/z\(number).jpg"
            try FileManager.default.createDirectory(
                atPath: bench.folder.file((path as NSString).deletingLastPathComponent),
                withIntermediateDirectories: true)
            try bench.folder.write(
                TestPicture.gradient(seed: number).encoded("jpeg"), to: path)
        }

        var actual: [String] = []
        for step in steps {
            var words = step.command.split(separator: " ").map(String.init)
            // README's identifiers and prefixes are mapped to the actual ones.
            for (index, word) in words.enumerated() where word.count >= 4 {
                guard let number = shown.firstIndex(where: { $0.hasPrefix(word) }) else { continue }
                words[index] = try #require(actual[safe: number])
            }
            let result = try bench.run(words)
            #expect(result.status == 0, "\(step.command): \(result.errors)")
            let lines = result.output.split(separator: "\n").map(String.init)
            if actual.isEmpty {
                actual = lines.filter { $0.hasPrefix("imported ") }
                    .map { String($0.split(separator: " ")[1]) }
            }
            let names = shown.indices.map { "PHOTO\($0)" }
            let found = Self.fixed(
                lines, Dictionary(uniqueKeysWithValues: zip(actual, names)))
            let expected = Self.fixed(
                step.output, Dictionary(uniqueKeysWithValues: zip(shown, names)))
            #expect(
                Self.matches(found, expected),
                "\(step.command) prints:\n\(lines.joined(separator: "\n"))")
        }
    }

    /// README, the tutorials and the guides.
    private static let pages: [String] = {
        let folders = ["docs/tutorials", "docs/guides"]
        let found = folders.flatMap { folder in
            let path = "\(BuildProducts.packageFolder)/\(folder)"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
        }
        return ["README.md"] + found
    }()

    /// The commands in the code blocks of a page, without redirections and `&`, split at pipes.
    private static func commands(of page: String) throws -> [String] {
        let text = try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/\(page)", encoding: .utf8)
        let blocks = text.components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        return blocks.joined(separator: "\n").replacing("\\\n", with: " ").split(separator: "\n")
            .map { $0.hasPrefix("$ ") ? $0.dropFirst(2) : $0 }
            .filter { !$0.contains("--generate-completion-script") }
            .flatMap { String($0).components(separatedBy: " | ") }
            .filter { $0.hasPrefix("edithost ") }
            .map { $0.components(separatedBy: " > ")[0] }
            .map { $0.components(separatedBy: " &")[0] }
    }

    @Test("each command of README, tutorials and guides parses", arguments: pages)
    func commands(page: String) throws {
        for command in try Self.commands(of: page) {
            #expect(throws: Never.self, "\(command)") { try CommandLineExample(command).parse() }
        }
    }

    @Test("README, tutorials and guides have commands")
    func numberOfCommands() throws {
        #expect(try Self.pages.flatMap { try Self.commands(of: $0) }.count > 150)
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
