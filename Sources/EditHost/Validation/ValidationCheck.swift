// SPDX-License-Identifier: Apache-2.0

/// A check of an extension. Each check runs the extension in separate sandboxed processes.
public struct ValidationCheck: Sendable {
    /// The identifier, in lower case with hyphens. It never changes its meaning.
    public let id: String
    /// A sentence that states what is checked, and why.
    public let summary: String
    /// The identifiers of the checks without which this one is skipped. They are earlier in ``all``.
    public let requirements: [String]
    /// Runs the check. Throws a ``ValidationFinding`` or a `HostError` if it does not pass.
    let run: @Sendable (ValidationContext) async throws -> Void

    init(
        _ id: String, _ summary: String, requires requirements: [String] = [],
        _ run: @escaping @Sendable (ValidationContext) async throws -> Void
    ) {
        self.id = id
        self.summary = summary
        self.requirements = requirements
        self.run = run
    }

    /// All checks, in the order in which they run.
    public static let all: [ValidationCheck] =
        manifestChecks + loadingChecks + parameterChecks + recipeChecks + effectChecks
        + pixelChecks + videoChecks + sessionChecks + resourceChecks
}
