// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost keyword`.
struct KeywordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyword",
        abstract: "List, rename, merge and remove keywords.",
        discussion: """
            A keyword can be in a hierarchy, such as Travel|Italy|Rome, as in Lightroom and \
            digiKam. It is named by its levels, separated by bars or slashes, or by its last \
            level if that is unique. Keywords of single photos are set by "set --keyword". Photos \
            in the trash are not changed.
            """,
        examples: """
            edithost keyword list --tree
            edithost keyword rename Travel/Italy Travel/Italia
            edithost keyword merge Roma Rom Travel/Italy/Rome
            edithost keyword remove draft
            """,
        subcommands: [
            ListKeywordsCommand.self, RenameKeywordCommand.self, MergeKeywordsCommand.self,
            RemoveKeywordCommand.self,
        ])
}
