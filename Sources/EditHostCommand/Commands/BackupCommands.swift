// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// `edithost backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the library into a folder, while it is in use.",
        discussion: """
            Later backups into the same folder copy only what is new. An interrupted backup \
            leaves a complete one in place: the new or the previous one. A backup can be read \
            like a library ("edithost list --library TO") but not changed; "edithost restore" \
            turns it into a library. Referenced originals are not included.
            """,
        examples: """
            edithost backup /media/disk/Photos.backup
            edithost backup --verify /media/disk/Photos.backup
            """)

    @Argument(
        help: ArgumentHelp(
            "The backup's folder: new, empty, or with this library's last backup.",
            valueName: "to"),
        completion: .directory)
    var folder: String

    @Flag(help: "Read the whole backup afterwards and verify each file's hash.")
    var verify = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .copying)
        let output = general.output
        let folder = folder
        // The folder is not accessed by any other process until it has been verified.
        let backup = try library.backup(at: folder)
        let report = try await output.copying("backing up", "copied") {
            try backup.run(progress: $0)
        }
        var (verified, failure): (Verification?, (any Error)?) = (nil, nil)
        if verify {
            do {
                verified = try await self.verified(backup)
            } catch {
                // Copied and failed files are reported in any case.
                failure = error
            }
        }
        try output.printResult(report, of: folder, .backup, verified)
        if let failure { throw failure }
        guard verified?.isWhole ?? true else {
            throw CommandEnd(
                status: .damage,
                message: "\(folder) is not a complete backup; see the messages above")
        }
        try report.end()
    }

    /// Verifies the backup and copies damaged files again. Such files are reported.
    private func verified(_ backup: LibraryBackup) async throws -> Verification {
        let first = try await checked()
        let found = first.findings.filter { $0.severity >= .repairable && $0.blob != nil }
        let damaged = Set(found.compactMap(\.blob))
        var report = first
        if !damaged.isEmpty {
            _ = try await general.output.copying("copying again", "copied") {
                try backup.run(replacing: damaged, progress: $0)
            }
            report = try await checked()
        }
        let left = Set(report.findings.compactMap(\.blob))
        let repaired = damaged.subtracting(left)
        for finding in found where finding.blob.map(repaired.contains) ?? false {
            general.output.message(
                "\(finding.path ?? folder): \(finding.detail); copied again")
        }
        for finding in report.findings {
            general.output.message("\(finding.path ?? folder): \(finding.detail)")
        }
        return Verification(
            readCount: report.readCount, repairedCount: repaired.count,
            isWhole: report.severity != .damage && report.severity != .repairable)
    }

    private func checked() async throws -> CheckReport {
        let (path, output) = (folder, general.output)
        output.progress.begin("verifying")
        defer { output.progress.end() }
        return try await general.withHost { host in
            try await Interruption().run {
                // Matching hashes prove that the copy is identical, whether or not its videos can be decoded.
                try await host.check(libraryAt: path, readingDataOf: 100, decodesVideos: false) {
                    _, done, total in
                    try Task.checkCancellation()
                    output.progress.set(done, of: total)
                }
            }
        }
    }
}

/// The result of verifying a backup.
private struct Verification {
    let readCount: Int
    let repairedCount: Int
    let isWhole: Bool
}

/// The purpose of copying, for messages.
private enum CopyingPurpose {
    case backup, restoration
}

extension CheckReport.Finding {
    /// The hash of the stored file that the problem concerns.
    fileprivate var blob: SHA256Digest? {
        path?.split(separator: "/").last.flatMap { SHA256Digest(hex: String($0)) }
    }
}

/// `edithost restore`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a library from a backup.",
        discussion: """
            The library is created at its usual place or that of --library, where nothing may \
            exist yet. Each file's hash is verified. Run the same command again to resume an \
            interrupted restore.
            """,
        examples: """
            edithost restore /media/disk/Photos.backup
            edithost restore /media/disk/Photos.backup --library New.editlibrary
            """)

    @Argument(
        help: ArgumentHelp("The backup's folder.", valueName: "from"), completion: .directory)
    var folder: String

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let output = general.output
        let (folder, path) = (folder, libraryOptions.path)
        try PhotoLibrary.requireOutsideOthers(path)
        try libraryOptions.makeParent()
        let report = try await output.copying("restoring", "copied") { progress in
            try PhotoLibrary.restore(from: folder, to: path, progress: progress)
        }
        try output.printResult(report, of: path, .restoration)
        try report.end()
    }
}

extension Output {
    /// Runs work that copies files, with a progress line. Ctrl-C stops it between two files.
    fileprivate func copying(
        _ verb: String, _ participle: String,
        _ body: @escaping @Sendable (@escaping (Int, Int) throws -> Void) throws -> BackupReport
    ) async throws -> BackupReport {
        progress.begin(verb)
        defer { progress.end() }
        do {
            return try await Interruption().run {
                try body { done, total in
                    try Task.checkCancellation()
                    self.progress.set(done, of: total)
                }
            }
        } catch is CancellationError {
            let left = progress.left.map { ", \($0) left" } ?? ""
            throw CommandEnd(
                status: .interrupted,
                message: "cancelled\(left); run the same command again to resume")
        }
    }

    fileprivate func printResult(
        _ report: BackupReport, of folder: String, _ purpose: CopyingPurpose,
        _ verification: Verification? = nil
    ) throws {
        for failure in report.failures { message(ExitStatus.words(for: failure)) }
        try print(
            [
                "path": .string(folder), "copied": .integer(report.copiedFileCount),
                "bytes": .integer(report.copiedByteCount),
                "present": .integer(report.presentFileCount),
                "removed": .integer(report.removedFileCount),
                "referenced": .integer(report.referencedOriginalCount),
                "failed": .integer(report.failures.count),
                "verified": JSONValue(verification.flatMap { $0.isWhole ? $0.readCount : nil }),
                "repaired": JSONValue(verification?.repairedCount),
            ], Self.words(report, of: folder, purpose, verification))
        if report.referencedOriginalCount > 0 {
            message(
                "\(report.referencedOriginalCount) referenced originals are not included; back "
                    + "up their files separately")
        }
    }
}

extension Output {
    /// Returns a summary of the copied files.
    private static func words(
        _ report: BackupReport, of folder: String, _ purpose: CopyingPurpose,
        _ verification: Verification?
    ) -> String {
        let (begin, failed) =
            switch purpose {
            case .backup: ("backed up to", "could not be copied")
            case .restoration: ("restored to", "could not be restored")
            }
        func counted(_ count: Int, _ words: String) -> String? {
            count > 0 ? "\(count) \(words)" : nil
        }
        let isUpToDate =
            purpose == .backup && report.copiedFileCount == 0 && report.removedFileCount == 0
            && report.failures.isEmpty
        let start =
            isUpToDate
            ? "\(folder) is up to date (\(report.presentFileCount.counted("file")))"
            : "\(begin) \(folder): \(report.copiedFileCount.counted("file")) copied "
                + "(\(report.copiedByteCount.byteText))"
        let parts = [
            start,
            isUpToDate ? nil : counted(report.presentFileCount, "already present"),
            counted(report.removedFileCount, "removed"),
            counted(report.failures.count, failed),
            verification.map { "\($0.readCount) verified" },
            verification.flatMap { counted($0.repairedCount, "of them repaired") },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension BackupReport {
    /// Ends the command with status 1 if a file could not be copied.
    fileprivate func end() throws {
        if !failures.isEmpty { throw CommandEnd(status: .someFailed) }
    }
}
