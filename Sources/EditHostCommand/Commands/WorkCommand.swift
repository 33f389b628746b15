// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `edithost work`.
struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Render edited pictures again on several machines.",
        discussion: """
            A plan is a folder that several machines share. Any engine that can run a command with \
            a number can render a shard of it. Only the machine that has the library opens it.
            """,
        examples: """
            edithost work plan /shared/work --all --for slurm
            edithost work status /shared/work
            edithost work commit /shared/work
            """,
        subcommands: [
            PlanWorkCommand.self, RunWorkCommand.self, StatusWorkCommand.self,
            CommitWorkCommand.self,
        ])
}
