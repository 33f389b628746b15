// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the library for damage.",
        discussion: """
            Nothing is changed without --repair. Exit status: 0 clean, or only notices \
            (referenced files are missing or have changed, imported videos cannot be decoded, or \
            the next change removes the folder of an interrupted process); 1 \
            repairable (other leftovers, or stored pictures that are not part of a current version \
            and can be rendered again); 2 damaged (something is missing or wrong). With --repair, \
            the exit status describes what remains. Originals are never modified: a damaged one \
            is moved unchanged to the library's quarantine folder.
            """,
        examples: """
            edithost check
            edithost check --read-data 100 --repair
            edithost check --read-data 100 --repair --from /media/disk/Photos.backup
            """)

    @Option(
        help: ArgumentHelp(
            """
            Also read this percentage of the files, verify their hashes, and decode the videos \
            among them.
            """,
            valueName: "percent"))
    var readData = 0.0

    @Flag(
        help: """
            Render missing and damaged pictures again from originals and recipes, move damaged \
            files to quarantine, and remove leftovers.
            """)
    var repair = false

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "With --repair: also restore missing and damaged files from this backup.",
            valueName: "backup"),
        completion: .directory)
    var backup: String?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard (0.0...100.0).contains(readData) else {
            throw ValidationError("--read-data must be a percentage from 0 to 100.")
        }
        guard repair || backup == nil else {
            throw ValidationError("--from needs --repair; add it.")
        }
    }

    func run() async throws {
        let report = try await repair ? repairing() : checking()
        try general.output.print(
            [
                "status": report.severity.name, "findings": report.findings.count,
                "files": report.fileCount, "read": report.readCount, "decoded": report.decodedCount,
                "unused": report.unusedCount, "trashed": report.trashedCount,
            ],
            "\(report.severity.words): \(Self.words(report))")
        switch report.severity {
        case .clean, .notice: break
        case .repairable: throw CommandEnd(status: .someFailed)
        case .damage: throw CommandEnd(status: .damage)
        }
    }

    /// Returns a summary of the check.
    private static func words(_ report: CheckReport) -> String {
        let present = report.severity == .clean ? " present" : ""
        let read =
            report.readCount > 0
            ? ", \(report.readCount) read" : "\(present) (contents not read: --read-data)"
        let parts = [
            report.fileCount.counted("file") + read,
            report.decodedCount > 0 ? "\(report.decodedCount.counted("video")) decoded" : nil,
            report.unusedCount > 0 ? "\(report.unusedCount) unused" : nil,
            report.trashedCount > 0 ? "\(report.trashedCount) in the trash" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func checking() async throws -> CheckReport {
        let path = try libraryOptions.existingPath
        let report = try await general.checking("checking") { host, progress in
            try await host.check(libraryAt: path, readingDataOf: readData, progress: progress)
        }
        for finding in report.findings { try print(finding, nil) }
        return report
    }

    private func repairing() async throws -> CheckReport {
        if let backup { try PhotoLibrary.requireBackup(at: backup) }
        do {
            return try await repaired()
        } catch let error as LibraryError {
            // A library that cannot be opened for repair, or cannot be repaired, can still be checked.
            let report = try await checking()
            guard report.severity == .damage else { throw error }
            return report
        }
    }

    private func repaired() async throws -> CheckReport {
        let library = try libraryOptions.open(for: .changing)
        let result = try await general.checking("checking") { host, progress in
            try await host.repair(
                library, readingDataOf: readData, fromBackupAt: backup, progress: progress)
        }
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
                "kind": finding.kind.rawValue, "severity": finding.severity.name,
                "detail": finding.detail, "id": finding.assetIdentifier, "path": finding.path,
                "repairable": finding.isRepairable, "repair": action?.rawValue,
            ],
            "\(finding.severity.words): \(finding.kind.rawValue): \(finding.detail)"
                + (place.isEmpty ? "" : " (\(place))") + (action.map { ": \($0.words)" } ?? ""))
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
        case .none: "not repaired"
        case .repaired: "repaired"
        case .restored: "restored"
        case .setAside: "moved to quarantine"
        case .trashed: "moved to the trash"
        case .rendered: "rendered again"
        }
    }
}
