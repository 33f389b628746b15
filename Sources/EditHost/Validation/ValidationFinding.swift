// SPDX-License-Identifier: Apache-2.0

/// Ends a check with an outcome other than `passed`.
struct ValidationFinding: Error {
    let outcome: ValidationOutcome

    static func failure(_ reason: String) -> ValidationFinding { .init(outcome: .failed(reason)) }
    static func warning(_ reason: String) -> ValidationFinding { .init(outcome: .warning(reason)) }
    static func skip(_ reason: String) -> ValidationFinding { .init(outcome: .skipped(reason)) }
}
