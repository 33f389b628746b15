// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost import`.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import photos and videos into the library.",
        discussion: """
            Folders are searched recursively. Files are copied and not modified, unless --move or \
            --reference is given. A photo that is already in the library is reported as a \
            duplicate; if it is in the trash and its file is given by name, it is restored. Files \
            that are not photos or videos are skipped; files that look like photos or videos but \
            cannot be decoded completely are rejected. A rejected file is remembered: if it is \
            found in a folder again, it is not read and does not count as a failure, unless \
            --again is given or another version of edithost rejected it. A RAW file is stored with \
            the JPEG or HEIC of the same name, and AAE and XMP files, and JSON files of Google \
            Takeout, are stored with their pictures. Ratings, keywords and other text in an XMP \
            file take precedence over those in its picture. An XMP file that has changed is read \
            again; values that were set in the library are kept. After an update of edithost, \
            --again reads the metadata of photos in the library again.
            """,
        examples: """
            edithost import ~/Pictures
            edithost import IMG_1.JPG IMG_1.DNG  # a RAW and its JPEG
            edithost import --reference /mnt/archive
            edithost import --move ~/Inbox --json
            edithost import ~/Pictures --exclude Rejected/ --exclude '*.NEF'
            edithost import ~/Pictures --dry-run
            edithost import ~/Pictures --albums folders
            edithost import --prefer newest ~/Pictures
            edithost import --again  # rereads all originals in the library
            edithost import --show-rejected
            """)

    @Argument(
        help: ArgumentHelp(
            "Files and folders; optional with --again.", valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Reread files of photos that are in the library; without a path, of all photos.",
            discussion: "With a path, files that were rejected before are tried again."))
    var again = false

    @Option(
        help: ArgumentHelp(
            "Which value to use if a file and its XMP file differ: that of the XMP file, that of "
                + "the file, or that of the one whose metadata was changed last.",
            valueName: "sidecar|file|newest"))
    var prefer = MetadataPrecedence.sidecar

    @Flag(help: "Leave the files in place, and store only references to them.")
    var reference = false

    @Flag(help: "Delete each file after it has been imported.")
    var move = false

    @OptionGroup var exclusion: ExclusionOption

    @Option(
        help: ArgumentHelp(
            "Make albums and folders that correspond to the folders in the imported folders.",
            discussion: """
                Photos that are already in the library are added too. Existing albums of the same \
                name at the same place are used. Files directly in an imported folder are in no \
                album.
                """,
            valueName: "source"))
    var albums: AlbumSource?

    @Flag(help: "Print what would happen to each file, without decoding or changing anything.")
    var dryRun = false

    @Flag(help: "List the files that imports have rejected, and import nothing.")
    var showRejected = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if showRejected {
            let isAlone =
                paths.isEmpty && exclusion.patterns.isEmpty && albums == nil && !again && !reference
                && !move
                && !dryRun
            if !isAlone { throw ValidationError("Use --show-rejected alone.") }
            return
        }
        if reference, move {
            throw ValidationError("Use --reference or --move, not both.")
        }
        if dryRun, again { throw ValidationError("Use --dry-run or --again, not both.") }
        if dryRun, albums != nil { throw ValidationError("Use --dry-run or --albums, not both.") }
        if albums != nil, paths.isEmpty { throw ValidationError("--albums needs a path.") }
        if !exclusion.patterns.isEmpty, paths.isEmpty {
            throw ValidationError("--exclude needs a path.")
        }
        if paths.isEmpty, !again { throw ValidationError("Missing expected argument '<path> ...'") }
    }

    private var method: ImportMethod { reference ? .reference : move ? .move : .copy }

    func run() async throws {
        if showRejected { return try printRejectedFiles() }
        if dryRun { return try await preview() }
        let library = try libraryOptions.open(for: paths.isEmpty ? .changing : .making)
        let batch = BatchRun(general, "importing", kept: "imported")
        let tally = ImportTally(batch)
        let setTotal = batch.output.progress.setTotal
        let outcome = try await batch.run(on: nil) { host -> ImportOutcome? in
            if paths.isEmpty {
                try await host.readAgain(library, prefer: prefer, found: setTotal) {
                    try tally.add($0)
                }
                return nil
            }
            return try await host.importPhotos(
                at: paths, into: library, by: method, again: again, prefer: prefer,
                excluding: exclusion.patterns, makingAlbums: albums != nil,
                unused: { exclusion.report(unused: $0, general) }, found: setTotal
            ) { try tally.add($0) }
        }
        if let outcome { report(outcome) }
        try tally.end()
    }

    private func report(_ outcome: ImportOutcome) {
        if outcome.albumCount > 0 {
            general.output.message("\(outcome.albumCount.counted("album")) made")
        }
        if outcome.unrememberedCount > 0 {
            general.output.message(
                "\(outcome.unrememberedCount.counted("rejected file")) will be read again by the "
                    + "next import, because the library remembers "
                    + "\(RejectedFile.maximumCount.counted("rejected file")) at most")
        }
    }

    private func preview() async throws {
        let library = try libraryOptions.openIfCreated()
        let batch = BatchRun(general, "reading")
        let tally = ImportTally(batch)
        let setTotal = batch.output.progress.setTotal
        try await batch.run(on: nil) { host in
            try await host.previewImport(
                at: paths, into: library, excluding: exclusion.patterns,
                unused: { exclusion.report(unused: $0, general) }, found: setTotal
            ) { try tally.add($0) }
        }
        batch.output.message("dry run: nothing was imported")
        try tally.end()
    }
}
