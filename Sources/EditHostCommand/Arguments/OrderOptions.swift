// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The options for order and limit of the selected photos.
struct OrderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sort by \(SortArgument.names.joined(separator: ", ")).",
            discussion: "Append :desc to reverse the order; separate several keys with commas.",
            valueName: "key"),
        completion: .list(SortArgument.names.flatMap { [$0, "\($0):desc"] }))
    var sort: SortArgument?

    @Option(help: ArgumentHelp("Stop after this many photos.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    /// `true` if no option is given.
    var isEmpty: Bool { sort == nil && limit == nil }

    /// Adds the options to fetch options.
    func ask(_ options: inout FetchOptions) {
        options.fetchLimit = limit ?? 0
        if let sort { options.sortDescriptors = sort.descriptors }
    }
}
