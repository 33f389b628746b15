// SPDX-License-Identifier: Apache-2.0

/// The result of verifying a backup.
struct BackupVerificationResult {
    let readCount: Int
    let repairedCount: Int
    let isWhole: Bool
}
