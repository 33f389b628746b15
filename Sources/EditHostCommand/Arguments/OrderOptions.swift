// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// In which order photographs come, and how many of them.
struct OrderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sort by \(SortArgument.names.joined(separator: ", ")).",
            discussion: "Append :desc to reverse the order; separate several keys with commas.",
            valueName: "key"),
        completion: .list(SortArgument.names.flatMap { [$0, "\($0):desc"] }))
    var sort: SortArgument?

    @Option(help: ArgumentHelp("Stop after this many photographs.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    /// Whether nothing is asked for.
    var isEmpty: Bool { sort == nil && limit == nil }

    /// Asks for it.
    func ask(_ options: inout FetchOptions) {
        options.fetchLimit = limit ?? 0
        if let sort { options.sortDescriptors = sort.descriptors }
    }
}
