// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// `edithost check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that the library is whole.",
        discussion: """
            Nothing is changed. Exit status: 0 clean; 1 only leftovers that hold nothing needed; \
            2 something that the library should have is missing or wrong.
            """)

    @Option(
        help: ArgumentHelp(
            "Also read so many percent of the files and compare them with their hashes.",
            valueName: "percent"))
    var readData = 0.0

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard (0.0...100.0).contains(readData) else {
            throw ValidationError("--read-data is a number from 0 to 100.")
        }
    }

    func run() async throws {
        let report: CheckReport
        do {
            let library = try libraryOptions.open(for: .checking)
            report = try library.check(readingDataOf: readData)
        } catch let error as LibraryError where error.code == .damaged {
            throw CommandEnd(status: .damage, message: "\(error)")
        }
        for finding in report.findings { try print(finding) }
        try general.output.print(
            [
                "status": .string(report.severity.name),
                "findings": .integer(report.findings.count),
                "files": .integer(report.fileCount), "read": .integer(report.readCount),
                "unused": .integer(report.unusedCount),
            ],
            "\(report.severity.words): \(report.fileCount) files, \(report.readCount) of them "
                + "read, \(report.unusedCount) no longer used")
        switch report.severity {
        case .clean: break
        case .repairable: throw CommandEnd(status: .someFailed)
        case .damage: throw CommandEnd(status: .damage)
        }
    }

    private func print(_ finding: CheckReport.Finding) throws {
        let names = [finding.assetIdentifier.map { "asset \($0)" }, finding.path]
        let place = names.compactMap { $0 }.joined(separator: ", ")
        try general.output.print(
            [
                "kind": .string(finding.kind.rawValue),
                "severity": .string(finding.kind.severity.name),
                "detail": .string(finding.detail), "id": JSONValue(finding.assetIdentifier),
                "path": JSONValue(finding.path),
            ],
            "\(finding.kind.severity.words): \(finding.detail)"
                + (place.isEmpty ? "" : " (\(place))"))
    }
}

extension CheckReport.Severity {
    fileprivate var name: String {
        switch self {
        case .clean: "clean"
        case .repairable: "repairable"
        case .damage: "damage"
        }
    }

    fileprivate var words: String { self == .repairable ? "leftovers" : name }
}
