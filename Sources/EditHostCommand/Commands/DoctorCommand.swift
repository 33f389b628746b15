// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import JSONOutput

/// The command `edithost doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report sandbox layers, libraries, formats and limits, and what is missing.",
        discussion: """
            The command starts a runner, which reports the active layers of the sandbox. The exit \
            status is 0 if every layer is active and every format can be opened, otherwise 69.
            """,
        examples: """
            edithost doctor
            edithost doctor --json
            """)

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let diagnosis = try await general.withHost { host in
            do {
                let facts = try await host.runnerFacts()
                var diagnosis = Diagnosis(configuration: host.configuration, facts: facts)
                do {
                    diagnosis.mediaFacts = try await host.mediaRunnerFacts()
                } catch let error as HostError {
                    diagnosis.mediaFailure = error
                }
                return diagnosis
            } catch let error as HostError {
                return Diagnosis(configuration: host.configuration, failure: error)
            }
        }
        try general.output.printJSON(diagnosis.row)
        try general.output.printText(diagnosis.lines)
        if !diagnosis.advice.isEmpty { throw CommandEnd(status: .unavailable) }
    }
}
