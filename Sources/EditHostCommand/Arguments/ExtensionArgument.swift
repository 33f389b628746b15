// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The argument of a command on one installed extension.
struct ExtensionArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    /// Changes how the extension may run, and prints its identifier.
    ///
    /// - Parameter body: Changes the named extension, and returns its identifier.
    func change(
        _ general: GeneralOptions, outcome: String,
        _ body: (ExtensionHost, String) throws -> String
    ) async throws {
        let identifier = try await general.withHost { try body($0, name) }
        try general.output.print(["identifier": identifier], "\(identifier) \(outcome)")
    }
}
