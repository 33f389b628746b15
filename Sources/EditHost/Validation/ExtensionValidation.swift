// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Logging
import RunnerHost

/// Checks an extension for mistakes, without a library. For authors of extensions.
///
/// The extension need not be installed. It runs as untrusted, on pictures in memory.
public struct ExtensionValidation: Sendable {
    /// The path of a folder `Name.editingextension`, or of a folder that contains exactly one.
    public var extensionPath: String
    /// The identifiers of the checks to run; nil means all. Checks that these depend on are not run.
    public var only: [String]?
    /// The seed of random data. The same seed gives the same data.
    public var seed: UInt64 = 1

    /// Creates a validation.
    public init(of extensionPath: String) { self.extensionPath = extensionPath }

    /// Runs the checks in the order of ``ValidationCheck/all``.
    ///
    /// - Parameters:
    ///   - configuration: The runners and sandbox. Its extensions, limits and the user's settings for them are ignored.
    ///   - handler: Receives each result.
    /// - Throws: `HostError` with `noSuchFile`, `unusableExtension` or `badRequest` for the path or the identifiers,
    ///   or if the checks cannot be run; `CancellationError`; errors thrown by `handler`.
    public func run(
        _ configuration: HostConfiguration, logger: Logger = Logger(label: "edithost"),
        handler: (ValidationResult) throws -> Void
    ) async throws {
        let checks = try checksToRun()
        let folder = try ExtensionTrial.extensionFolder(in: extensionPath)
        let binary = Result {
            try ExtensionBinary(
                reading: ExtensionCatalogue.examine(folder),
                trust: ExtensionTrust(shippedFile: nil, folder: nil))
        }
        let context = ValidationContext(
            folder: folder, seed: seed, binary: binary, configuration: Self.own(configuration),
            logger: logger)
        var unmet: Set<String> = []
        for check in checks {
            try Task.checkCancellation()
            let clock = ContinuousClock.now
            let outcome: ValidationOutcome
            if let requirement = check.requirements.first(where: unmet.contains) {
                outcome = .skipped("\(requirement) did not pass")
            } else {
                outcome = try await Self.outcome(of: check, in: context)
            }
            if outcome.isFailure || check.requirements.contains(where: unmet.contains) {
                unmet.insert(check.id)
            }
            try handler(
                ValidationResult(
                    check: check, outcome: outcome, duration: ContinuousClock.now - clock))
        }
    }

    private func checksToRun() throws -> [ValidationCheck] {
        guard let only else { return ValidationCheck.all }
        let known = ValidationCheck.all.map(\.id)
        if let unknown = only.first(where: { !known.contains($0) }) {
            throw HostError(
                .badRequest,
                "there is no check \"\(unknown)\"\(unknown.closest(among: known).suggestion)")
        }
        return ValidationCheck.all.filter { only.contains($0.id) }
    }

    private static func outcome(
        of check: ValidationCheck, in context: ValidationContext
    ) async throws -> ValidationOutcome {
        do {
            try await check.run(context)
            return .passed
        } catch {
            try Task.checkCancellation()
            return try ValidationOutcome(error)
        }
    }

    /// Returns the configuration of the checks: standard budgets, and timeouts that suffice for small pictures.
    private static func own(_ configuration: HostConfiguration) -> HostConfiguration {
        var own = configuration
        own.extensionFolders = []
        own.shippedTrustFile = nil
        own.configurationFolder = nil
        own.runnerLimit = 1
        own.budgets = ExtensionBudgets()
        own.timeouts = RunnerTimeouts()
        own.timeouts.interactive = .seconds(10)
        own.timeouts.render = .seconds(10)
        return own
    }
}
