// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What README shows of the command, run and compared.
@Suite("README")
struct ReadmeTests {
    /// A command and what it prints. A line `…` stands for any number of lines.
    private struct Step {
        let command: String
        var output: [String] = []
    }

    private static let readme = Result {
        try String(contentsOfFile: "\(BuildProducts.packageFolder)/README.md", encoding: .utf8)
    }

    /// The commands that README shows with their output, in their order.
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

    /// Lines with everything replaced that differs from run to run, beside what `known` names.
    private static func fixed(_ lines: [String], _ known: [String: String]) -> [String] {
        lines.map { line in
            var line = line
            for (identifier, name) in known {
                line = line.replacing(identifier, with: name)
            }
            // Of an identifier the first part is enough; columns are as wide as dates, which lose zeros at their ends.
            return line.replacing(#/(-[0-9a-f]{4,12}){4}/#, with: "")
                .replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#, with: "DATE")
                .replacing(#/[0-9a-f]{8}/#, with: "HEX").replacing(#/ {2,}/#, with: "  ")
        }
    }

    /// Whether lines are those expected.
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
        #expect(steps.count >= 9)
        let edit = try #require(steps.first { $0.command.hasPrefix("edit ") })
        let shown = edit.command.split(separator: " ").map(String.init)
            .filter { $0.wholeMatch(of: #/[0-9a-f]{8}/#) != nil }
        let paths = steps[0].output.compactMap { $0.split(separator: " ").last.map(String.init) }
            .filter { $0.hasSuffix(".jpg") }
        for number in shown.indices {
            let path = paths[safe: number] ?? "demo/photographs/z\(number).jpg"
            try FileManager.default.createDirectory(
                atPath: bench.folder.file((path as NSString).deletingLastPathComponent),
                withIntermediateDirectories: true)
            try bench.folder.write(
                TestPicture.gradient(seed: number).encoded("jpeg"), to: path)
        }

        var actual: [String] = []
        for step in steps {
            var words = step.command.split(separator: " ").map(String.init)
            // README's identifiers, or beginnings of them, stand for those of the photographs.
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
            let names = shown.indices.map { "PHOTOGRAPH\($0)" }
            let found = Self.fixed(
                lines, Dictionary(uniqueKeysWithValues: zip(actual, names)))
            let expected = Self.fixed(
                step.output, Dictionary(uniqueKeysWithValues: zip(shown, names)))
            #expect(
                Self.matches(found, expected),
                "\(step.command) prints:\n\(lines.joined(separator: "\n"))")
        }
    }

    @Test("each command in README parses")
    func commands() throws {
        let blocks = try Self.readme.get().components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        let lines = blocks.joined(separator: "\n").split(separator: "\n")
            .filter { $0.hasPrefix("edithost ") || $0.hasPrefix("$ edithost ") }
            .map { $0.hasPrefix("$ ") ? String($0.dropFirst(2)) : String($0) }
        #expect(lines.count > 30)
        for line in lines {
            #expect(throws: Never.self, "\(line)") { try CommandLineExample(line).parse() }
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
