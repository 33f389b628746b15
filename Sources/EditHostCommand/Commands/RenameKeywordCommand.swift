// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import JSONOutput
import Library

/// The command `edithost keyword rename`.
struct RenameKeywordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename, move or merge a keyword, with those below it.",
        discussion: """
            Keywords below it in the hierarchy move with it. If the library has the new keyword \
            already, the two are merged. If the old keyword is named by its last level and the new \
            name has no levels, the keyword keeps its place in the hierarchy. Bars or slashes in \
            the new name separate levels; if it contains a bar, slashes are part of names, so \
            |f/2.8 is a keyword outside hierarchies. If the old keyword itself contains a slash, \
            such as f/2.8, a slash stays part of the new name too: f/4 is one level. All photos \
            are changed in one transaction.
            """,
        examples: """
            edithost keyword rename Travel/Italy Travel/Italia
            edithost keyword rename Rome Travel/Italy/Rome
            edithost keyword rename f/2.8 f/4
            """)

    @Argument(help: ArgumentHelp("The keyword.", valueName: "keyword"))
    var keyword: String

    @Argument(help: ArgumentHelp("The new keyword.", valueName: "new-keyword"))
    var newKeyword: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if KeywordPath.isBlank(newKeyword) {
            throw ValidationError("The new keyword is empty.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .changing)
        let tree = try KeywordTree(library.keywordCounts().map(\.keyword))
        let branch = try tree.branch(named: keyword)
        let new = tree.target(newKeyword, renaming: branch, named: keyword)
        let names = tree.keywords(in: branch, renamed: new)
        let assets = try library.assets(withKeywords: tree.keywords(in: branch))
        try library.commit {
            for asset in assets { try AssetChangeRequest(for: asset).renameKeywords(names) }
        }
        try general.output.print(
            ["keyword": new.text, "previous": branch.text, "count": assets.count],
            "\(new.text.printable)  renamed from \(branch.text.printable)  "
                + assets.count.counted("photo"))
    }
}
