// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The option for the number of photographs to process in parallel.
struct JobsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The number of items to process in parallel (default: the number of processors).",
            valueName: "number"))
    var jobs: Int?

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }
}
