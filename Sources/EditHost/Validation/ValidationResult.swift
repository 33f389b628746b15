// SPDX-License-Identifier: Apache-2.0

/// The result of one check of an ``ExtensionValidation``.
public struct ValidationResult: Sendable {
    /// The check.
    public let check: ValidationCheck
    /// Its outcome.
    public let outcome: ValidationOutcome
    /// The time that it took.
    public let duration: Duration
}
