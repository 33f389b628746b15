// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import JSONOutput
import Library

/// The command `edithost keyword list`.
struct ListKeywordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keywords and the number of photos that have each.",
        examples: """
            edithost keyword list
            edithost keyword list --tree
            """)

    @Flag(help: "Indent the levels of hierarchies.")
    var tree = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let keywords = try libraryOptions.open(for: .reading).keywordCounts()
        for (keyword, count) in keywords {
            try general.output.printJSON([
                "keyword": keyword, "name": KeywordPath(keyword).name, "count": count,
            ])
        }
        if keywords.isEmpty {
            try general.output.printText(["no keywords"])
        } else if tree {
            try general.output.printText(Self.tree(of: keywords))
        } else {
            var table = TextTable(["photos", "keyword"], rightColumns: [0])
            for (keyword, count) in keywords { table.add(["\(count)", keyword]) }
            try general.output.printText(table.lines)
        }
    }

    /// Returns a line for each level. Only keywords that photos have are followed by a number.
    private static func tree(of keywords: [(keyword: String, count: Int)]) -> [String] {
        var counts: [KeywordPath: Int] = [:]
        var paths: Set<KeywordPath> = []
        for (keyword, count) in keywords {
            let path = KeywordPath(keyword)
            counts[path, default: 0] += count
            paths.formUnion(path.branches)
        }
        return paths.sorted { $0.names.lexicographicallyPrecedes($1.names) }.map { path in
            String(repeating: "    ", count: path.names.count - 1) + path.name
                + (counts[path].map { "  (\($0))" } ?? "")
        }
    }
}
