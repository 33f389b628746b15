// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel

/// `edithost doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell what keeps extensions from doing harm, and what is missing.",
        discussion: """
            A runner is started and says what holds for it. The exit status is 0 where every \
            layer of the sandbox is in force and every format can be opened, else 69.
            """,
        examples: """
            edithost doctor
            edithost doctor --json
            """)

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let diagnosis = try await general.withHost { host in
            do {
                let facts = try await host.runnerFacts()
                return Diagnosis(configuration: host.configuration, facts: facts)
            } catch let error as HostError {
                return Diagnosis(configuration: host.configuration, failure: error)
            }
        }
        try general.output.printJSON(diagnosis.json)
        try general.output.printText(diagnosis.lines)
        if !diagnosis.advice.isEmpty { throw CommandEnd(status: .unavailable) }
    }
}
