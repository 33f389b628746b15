// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import RunnerHost

/// The command `edithost extensions quarantine`.
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "List and release extensions that failed repeatedly.",
        discussion: """
            An extension that crashes, hangs or violates the contract \(Quarantine.limit) times \
            without a success in between is quarantined: it is not run until you release it or \
            install another build. Failures are counted separately for each library, because its \
            recipes and pictures may be the cause. All failures in apply count as those of one library. \
            An extension that is quarantined for \(Quarantine.libraryLimit) libraries is not run \
            for any library.
            """,
        examples: """
            edithost extensions quarantine list
            edithost extensions quarantine release brightness
            """,
        subcommands: [ListQuarantineCommand.self, ReleaseExtensionCommand.self])
}
