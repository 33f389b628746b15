// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost keyword remove`.
struct RemoveKeywordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a keyword, and those below it, from all photos.",
        discussion: """
            All photos are changed in one transaction. At a terminal, the command asks first if \
            more than one photo would be changed.
            """,
        examples: """
            edithost keyword remove draft
            edithost keyword remove Travel/Italy --yes
            """)

    @Argument(help: ArgumentHelp("The keyword.", valueName: "keyword"))
    var keyword: String

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let tree = try KeywordTree(library.keywordCounts().map(\.keyword))
        let branch = try tree.branch(named: keyword)
        let keywords = tree.keywords(in: branch)
        let assets = try library.assets(withKeywords: keywords)
        if assets.count > 1 {
            try confirmation.confirm(
                "Remove \(branch.text.printable) from \(assets.count.counted("photo"))?")
        }
        try library.commit {
            for asset in assets { try AssetChangeRequest(for: asset).removeKeywords(keywords) }
        }
        try general.output.print(
            ["keyword": branch.text, "count": assets.count],
            "\(branch.text.printable)  removed  \(assets.count.counted("photo"))")
    }
}
