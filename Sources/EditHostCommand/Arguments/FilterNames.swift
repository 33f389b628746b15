// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The names of the filters of a command.
protocol FilterNames {
    /// The names of filters that are options of the command with another meaning. These filters have the prefix
    /// `with-`.
    static var taken: Set<String> { get }
}

extension FilterNames {
    /// Returns the name of a filter in the command.
    static func name(_ plain: String) -> NameSpecification {
        .customLong(taken.contains(plain) ? "with-\(plain)" : plain)
    }
}
