// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput
import Library

extension CommandOutput {
    /// Runs work that copies files, with a progress line. Ctrl-C stops it between two files.
    func copying(
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

    func printResult(
        _ report: BackupReport, of folder: String, _ purpose: CopyingPurpose,
        _ verification: BackupVerificationResult? = nil
    ) throws {
        for failure in report.failures { message(ExitStatus.words(for: failure)) }
        if let error = report.unreadableSnapshot {
            message("no file was removed from the backup: \(ExitStatus.words(for: error))")
        }
        try print(
            [
                "path": folder, "copied": report.copiedFileCount, "bytes": report.copiedByteCount,
                "present": report.presentFileCount, "removed": report.removedFileCount,
                "settings": report.settingsCount, "referenced": report.referencedOriginalCount,
                "failed": report.failures.count,
                "verified": verification.flatMap { $0.isWhole ? $0.readCount : nil },
                "repaired": verification?.repairedCount,
            ], Self.words(report, of: folder, purpose, verification))
        if report.referencedOriginalCount > 0 {
            message(
                "\(report.referencedOriginalCount) referenced originals are not included; back "
                    + "up their files separately")
        }
    }
}

extension CommandOutput {
    /// Returns a summary of the copied files.
    private static func words(
        _ report: BackupReport, of folder: String, _ purpose: CopyingPurpose,
        _ verification: BackupVerificationResult?
    ) -> String {
        let (begin, failed, removed) =
            switch purpose {
            case .backup: ("backed up to", "could not be copied", "removed")
            case .restoration:
                ("restored to", "could not be restored", "moved to the folder \"trash\"")
            }
        func counted(_ count: Int, _ words: String) -> String? {
            count > 0 ? "\(count) \(words)" : nil
        }
        let isUpToDate =
            purpose == .backup && report.copiedFileCount == 0 && report.removedFileCount == 0
            && report.failures.isEmpty && report.unreadableSnapshot == nil
        let start =
            isUpToDate
            ? "\(folder) is up to date (\(report.presentFileCount.counted("file")))"
            : "\(begin) \(folder): \(report.copiedFileCount.counted("file")) copied "
                + "(\(report.copiedByteCount.byteText))"
        let parts = [
            start,
            isUpToDate ? nil : counted(report.presentFileCount, "already present"),
            counted(report.removedFileCount, removed),
            counted(report.failures.count, failed),
            verification.map { "\($0.readCount) verified" },
            verification.flatMap { counted($0.repairedCount, "of them repaired") },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
