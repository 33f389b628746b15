// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import JSONOutput
import Library

/// The command `edithost keyword merge`.
struct MergeKeywordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge keywords into one.",
        discussion: """
            The last keyword replaces the others. It need not exist yet; bars or slashes then \
            separate its levels. If all of the others contain a slash, such as f/2.8, a slash is \
            part of the new name too: f/4 is one level. Keywords below the others in the hierarchy \
            move below it. All photos are changed in one transaction: if a keyword does not exist \
            or is ambiguous, nothing is changed.
            """,
        examples: """
            edithost keyword merge Roma Rom Rome
            edithost keyword merge Italien Italia Travel/Italy
            """)

    @Argument(
        help: ArgumentHelp(
            "The keywords to replace, and the keyword that replaces them.",
            valueName: "keyword"))
    var keywords: [String]

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if keywords.count < 2 {
            throw ValidationError("Give the keywords to replace, and the one that replaces them.")
        }
        if keywords.contains(where: KeywordPath.isBlank) {
            throw ValidationError("A keyword is empty.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let tree = try KeywordTree(library.keywordCounts().map(\.keyword))
        let merged = try keywords.dropLast().map { try tree.branch(named: $0) }
        let target = try tree.target(
            keywords.last ?? "", merging: Array(zip(keywords, merged)))
        let names = tree.keywords(in: merged, mergedInto: target)
        let assets = try library.assets(withKeywords: Array(names.keys))
        try library.commit {
            for asset in assets { try AssetChangeRequest(for: asset).renameKeywords(names) }
        }
        try general.output.print(
            ["keyword": target.text, "merged": merged.map(\.text), "count": assets.count],
            "\(target.text.printable)  merged from "
                + merged.map(\.text.printable).joined(separator: ", ")
                + "  \(assets.count.counted("photo"))")
    }
}
