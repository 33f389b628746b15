// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Synchronization

/// `edithost import`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import photographs and videos into the library.",
        discussion: """
            Folders are searched recursively. Files are copied and not modified, unless --move or \
            --reference is given. A photograph that is already in the library is reported as a \
            duplicate. Files that are not photographs or videos are skipped; those that look like \
            one but cannot be decoded completely are rejected. A RAW is stored with the JPEG or \
            HEIC of the same name, and AAE and XMP files are stored with their pictures. --again \
            reads the metadata of photographs in the library again, which helps after an update \
            of edithost; dates, titles and similar texts are set only if they are missing.
            """,
        examples: """
            edithost import ~/Pictures
            edithost import IMG_1.JPG IMG_1.DNG  # a RAW and its JPEG
            edithost import --reference /mnt/archive
            edithost import --move ~/Inbox --json
            edithost import --again  # reads all originals of the library again
            """)

    @Argument(
        help: ArgumentHelp(
            "Files and folders; optional with --again.", valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @Flag(help: "Read photographs that are in the library again; without a path, all of them.")
    var again = false

    @Flag(help: "Leave the files in place, and store only references to them.")
    var reference = false

    @Flag(help: "Delete each file after it has been imported.")
    var move = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if reference, move {
            throw ValidationError("Use --reference or --move, not both.")
        }
        if paths.isEmpty, !again { throw ValidationError("Missing expected argument '<path> ...'") }
    }

    private var method: ImportMethod { reference ? .reference : move ? .move : .copy }

    func run() async throws {
        let output = general.output
        let library = try libraryOptions.open(for: paths.isEmpty ? .changing : .making)
        let tally = ImportTally(output: output)
        output.progress.begin("importing")
        defer { output.progress.end() }
        do {
            try await general.withHost { host in
                try await Interruption().run {
                    if paths.isEmpty {
                        return try await host.readAgain(library, found: output.progress.setTotal) {
                            try tally.add($0)
                        }
                    }
                    try await host.importPhotos(
                        at: paths, into: library, by: method, again: again,
                        found: output.progress.setTotal
                    ) { try tally.add($0) }
                }
            }
        } catch is CancellationError {
            throw tally.cancelled
        }
        output.progress.end()
        try tally.end()
    }
}

/// Counts and prints the import results.
private final class ImportTally: Sendable {
    private struct Counts {
        var byStatus: [ImportResult.Status: Int] = [:]
        var failures: [any Error] = []
        var isCutShort = false
        var all: Int { byStatus.values.reduce(0, +) }
    }

    private let counts = Mutex(Counts())
    private let output: CommandOutput

    init(output: CommandOutput) { self.output = output }

    func add(_ result: ImportResult) throws {
        // A file whose runner was stopped by cancellation is not rejected.
        if result.status == .rejected, Task.isCancelled {
            return counts.withLock { $0.isCutShort = true }
        }
        counts.withLock { counts in
            counts.byStatus[result.status, default: 0] += 1
            if result.status == .rejected { counts.failures.append(Self.rejection(result)) }
        }
        try print(result)
        for warning in result.warnings { output.message("\(result.path): \(warning)") }
        output.progress.advance()
    }

    private func print(_ result: ImportResult) throws {
        try output.printJSON([
            "id": JSONValue(result.assetIdentifier), "path": .string(result.path),
            "pathBytes": .bytes(ofPath: result.path),
            "status": .string(result.status.rawValue), "error": JSONValue(result.error),
            "resource": JSONValue(result.resourceType?.name),
        ])
        switch result.status {
        case .imported, .duplicate, .updated:
            let identifier = result.assetIdentifier.map(ShortIdentifier.of) ?? ""
            let type = result.resourceType.map { $0 == .photo ? "" : "  (\($0.name))" } ?? ""
            try output.printText([
                "\(result.status.padded)  \(identifier)  \(result.path)\(type)"
            ])
        case .skipped:
            let reason = result.error.map { ": \($0)" } ?? ""
            try output.printText(["\(result.status.padded)            \(result.path)\(reason)"])
        case .rejected:
            if let error = result.error { output.failure(error, of: result.path) }
        }
    }

    /// Returns the error of a rejected file. Anything other than a missing file counts as bad input.
    private static func rejection(_ result: ImportResult) -> any Error {
        let isMissing = (result.error as? HostError)?.code == .noSuchFile
        return CommandEnd(status: isMissing ? .notFound : .badData)
    }

    /// The error after cancellation by the user.
    var cancelled: CommandEnd {
        let imported = counts.withLock { $0.byStatus[.imported, default: 0] }
        return .cancelled(imported, "imported", output.progress)
    }

    func end() throws {
        let counts = counts.withLock { $0 }
        if counts.isCutShort { throw cancelled }
        let parts = ImportResult.Status.all.compactMap { status in
            counts.byStatus[status].map { "\($0) \(status.rawValue)" }
        }
        try output.printText([parts.isEmpty ? "no files found" : parts.joined(separator: ", ")])
        let status = ExitStatus(failures: counts.failures, of: counts.all)
        if status != .done { throw CommandEnd(status: status) }
    }
}

extension ImportResult.Status {
    fileprivate static let all: [Self] = [.imported, .updated, .duplicate, .skipped, .rejected]

    fileprivate var padded: String {
        rawValue.padding(toLength: "duplicate".count, withPad: " ", startingAt: 0)
    }
}
