// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

/// The verification of a backup for `backup create --verify`: reads each file, compares its hash, and copies damaged
/// files again.
struct BackupVerification {
    let backup: LockedBackup
    let folder: String
    let general: GeneralOptions

    /// Verifies the backup. Damage and files that were copied again are reported as messages.
    func run() async throws -> BackupVerificationResult {
        let first = try await check()
        let found = first.findings.filter { $0.severity >= .repairable && $0.blob != nil }
        let damaged = Set(found.compactMap(\.blob))
        var report = first
        if !damaged.isEmpty {
            let backup = backup
            _ = try await general.output.copying("copying again", "copied") {
                try backup.run(replacing: damaged, progress: $0)
            }
            report = try await check()
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
        return BackupVerificationResult(
            readCount: report.readCount, repairedCount: repaired.count,
            isWhole: report.severity != .damage && report.severity != .repairable)
    }

    private func check() async throws -> CheckReport {
        let path = folder
        return try await general.checking("verifying") { host, progress in
            // Matching hashes prove that the copy is identical, whether or not its videos can be decoded.
            try await host.check(
                libraryAt: path, readingDataOf: 100, decodesVideos: false, progress: progress)
        }
    }
}
