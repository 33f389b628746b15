// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// `edithost check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that the library is whole.",
        discussion: """
            Without --repair nothing is changed. Exit status: 0 clean, or only files that were \
            imported with --reference are away or have changed, or videos do not decode as they \
            were imported; 1 only leftovers, and \
            stored pictures that nobody sees now and that can be made again; 2 something that \
            the library should have is missing or wrong. With --repair it is the status of what \
            is left. An original is never changed: a damaged one is moved, as it is, to the \
            library's quarantine folder.
            """,
        examples: """
            edithost check
            edithost check --read-data 100 --repair
            """)

    @Option(
        help: ArgumentHelp(
            """
            Also read so many percent of the files, compare them with their hashes, and decode \
            the videos among them.
            """,
            valueName: "percent"))
    var readData = 0.0

    @Flag(
        help: """
            Make missing and damaged pictures again from originals and recipes, set damaged \
            files aside, and remove leftovers.
            """)
    var repair = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard (0.0...100.0).contains(readData) else {
            throw ValidationError("--read-data must be a percentage from 0 to 100.")
        }
    }

    func run() async throws {
        let report = try await repair ? repairing() : checking()
        let decoded =
            report.decodedCount > 0
            ? "\(report.decodedCount == 1 ? "1 video" : "\(report.decodedCount) videos") decoded, "
            : ""
        try general.output.print(
            [
                "status": .string(report.severity.name),
                "findings": .integer(report.findings.count),
                "files": .integer(report.fileCount), "read": .integer(report.readCount),
                "decoded": .integer(report.decodedCount),
                "unused": .integer(report.unusedCount), "trashed": .integer(report.trashedCount),
            ],
            "\(report.severity.words): \(report.fileCount) files, \(report.readCount) of them "
                + "read, \(decoded)\(report.unusedCount) no longer used, \(report.trashedCount) in the trash"
        )
        switch report.severity {
        case .clean, .notice: break
        case .repairable: throw CommandEnd(status: .someFailed)
        case .damage: throw CommandEnd(status: .damage)
        }
    }

    private func checking() async throws -> CheckReport {
        let path = try libraryOptions.existingPath
        let output = general.output
        output.progress.begin("checking")
        defer { output.progress.end() }
        let report = try await general.withHost { host in
            try await Interruption().run {
                try await host.check(libraryAt: path, readingDataOf: readData) {
                    phase, done, total in
                    try Task.checkCancellation()
                    output.progress.set(done, of: total, in: phase)
                }
            }
        }
        output.progress.end()
        for finding in report.findings { try print(finding, nil) }
        return report
    }

    private func repairing() async throws -> CheckReport {
        do {
            return try await repaired()
        } catch let error as LibraryError {
            // What cannot be opened for repairing, or not be repaired, can be checked.
            let report = try await checking()
            guard report.severity == .damage else { throw error }
            return report
        }
    }

    private func repaired() async throws -> CheckReport {
        let library = try libraryOptions.open(for: .changing)
        let output = general.output
        output.progress.begin("checking")
        defer { output.progress.end() }
        let result = try await general.withHost { host in
            try await Interruption().run {
                try await host.repair(library, readingDataOf: readData) { phase, done, total in
                    try Task.checkCancellation()
                    output.progress.set(done, of: total, in: phase)
                }
            }
        }
        output.progress.end()
        for (finding, action) in zip(result.findings, result.actions) {
            try print(finding, action)
        }
        for failure in result.failures { general.output.message(ExitStatus.words(for: failure)) }
        return result.remaining
    }

    private func print(_ finding: CheckReport.Finding, _ action: RepairAction?) throws {
        let names = [finding.assetIdentifier.map { "asset \($0)" }, finding.path]
        let place = names.compactMap { $0 }.joined(separator: ", ")
        try general.output.print(
            [
                "kind": .string(finding.kind.rawValue),
                "severity": .string(finding.severity.name),
                "detail": .string(finding.detail), "id": JSONValue(finding.assetIdentifier),
                "path": JSONValue(finding.path), "repairable": .boolean(finding.isRepairable),
                "repair": JSONValue(action?.rawValue),
            ],
            "\(finding.severity.words): \(finding.kind.rawValue): \(finding.detail)"
                + (place.isEmpty ? "" : " (\(place))") + (action.map { ": \($0.words)" } ?? ""))
    }
}

extension ProgressLine {
    /// So many files, or videos, of so many have been checked.
    fileprivate func set(_ done: Int, of total: Int, in phase: CheckPhase) {
        if phase == .videos, done == 1 { begin("decoding videos", of: total) }
        set(done, of: total)
    }
}

extension CheckReport.Severity {
    fileprivate var name: String {
        switch self {
        case .clean: "clean"
        case .notice: "notice"
        case .repairable: "repairable"
        case .damage: "damage"
        }
    }

    fileprivate var words: String { name }
}

extension RepairAction {
    fileprivate var words: String {
        switch self {
        case .none: "nothing was done"
        case .repaired: "repaired"
        case .restored: "brought back"
        case .setAside: "set aside in quarantine"
        case .trashed: "taken to the trash"
        case .rendered: "rendered again"
        }
    }
}
