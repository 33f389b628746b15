// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The option for the number of photos to process in parallel.
struct JobsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The number of items to process in parallel (default: the number of processors).",
            valueName: "number"))
    var jobs: Int?

    /// Returns the number of items to process in parallel: the given number, or one per processor, at most `count`.
    static func jobs(_ requested: Int?, for count: Int) -> Int {
        min(requested ?? ProcessInfo.processInfo.activeProcessorCount, max(1, count))
    }

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }
}
