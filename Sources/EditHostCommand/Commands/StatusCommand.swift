// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print what the library contains, and its size.",
        discussion: """
            No files are read. Unused files, such as those of removed photos, are removed by \
            prune. The change token is a position in the history of changes, for watch --since.
            """,
        examples: """
            edithost status
            edithost status --json
            """)

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let summary = try library.summary()
        try general.output.printJSON([
            "library": libraryOptions.path, "version": summary.version,
            "photos": summary.photoCount, "videos": summary.videoCount,
            "hidden": summary.hiddenCount, "edited": summary.editedCount,
            "trashed": summary.trashedCount,
            "albums": summary.albumCount, "referenced": summary.referencedCount,
            "originalBytes": summary.originalBytes, "renditionBytes": summary.renditionBytes,
            "unused": summary.unusedCount, "unusedBytes": summary.unusedBytes,
            "token": "\(summary.token)",
        ])
        try general.output.printText(lines(summary))
    }

    private func lines(_ summary: LibrarySummary) -> [String] {
        let unused = summary.unusedCount.counted("file")
        let facts = [
            ("library", "\(libraryOptions.path), version \(summary.version)"),
            ("photos", "\(summary.photoCount)"), ("videos", "\(summary.videoCount)"),
            ("hidden", "\(summary.hiddenCount)"), ("edited", "\(summary.editedCount)"),
            ("trash", "\(summary.trashedCount)"), ("albums", "\(summary.albumCount)"),
            ("referenced", "\(summary.referencedCount)"),
            ("originals", summary.originalBytes.byteText),
            ("renditions", summary.renditionBytes.byteText),
            ("unused", "\(unused), \(summary.unusedBytes.byteText)"),
            ("token", "\(summary.token)"),
        ]
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }
    }
}
