// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import JSONOutput
import RunnerHost

/// The command `edithost extensions validate`.
struct ValidateExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check an extension for mistakes, without installing it.",
        discussion: """
            Each check runs the extension as untrusted, in processes of its own, on pictures in \
            memory. Checks that did not pass are printed with a reason; --verbose prints all \
            checks. Exit status: 0 if no check failed or crashed, even with warnings; otherwise \
            65. docs/reference/validation.md lists all checks.
            """,
        examples: """
            edithost extensions validate Glow.editingextension
            edithost extensions validate Glow --only alpha --only pixel-formats
            edithost extensions validate Glow --only damaged-recipes --seed 7
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder named Name.editingextension, or a folder that contains one.",
            valueName: "path"), completion: .directory)
    var path: String

    @Option(
        help: ArgumentHelp(
            "Run only this check, without those that it depends on. May be repeated.",
            valueName: "check"),
        completion: .list(ValidationCheck.all.map(\.id)))
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "The seed of random data. The same seed gives the same data.", valueName: "number"))
    var seed: UInt64 = 1

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        var validation = ExtensionValidation(of: path)
        validation.only = only.isEmpty ? nil : only
        validation.seed = seed
        let wanted = validation
        let configuration = try general.configuration()
        let tally = try await Interruption().run {
            var tally = ValidationTally()
            try await wanted.run(configuration, logger: general.logger) { result in
                tally.add(result)
                try print(result)
            }
            return tally
        }
        let name = ExtensionCatalogue.examine(try ExtensionTrial.extensionFolder(in: path))
            .identifier
        try general.output.print(tally.row, "\(name): \(tally.words)")
        if tally.hasFailures { throw CommandEnd(status: .badData) }
    }

    private func print(_ result: ValidationResult) throws {
        let (check, outcome) = (result.check, result.outcome)
        try general.output.printJSON([
            "check": check.id, "outcome": outcome.name, "reason": outcome.reason,
            "description": check.summary, "seconds": result.duration / .seconds(1),
        ])
        guard outcome != .passed || general.verbose else { return }
        try general.output.printText([
            "\(outcome.name): \(check.id)" + (outcome.reason.map { ": \($0)" } ?? "")
        ])
    }
}
