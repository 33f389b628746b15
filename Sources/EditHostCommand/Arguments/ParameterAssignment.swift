// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A parameter assignment, `NAME=VALUE`.
struct ParameterAssignment: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let parts = argument.split(atFirst: "="), !parts.head.isEmpty else { return nil }
        (name, value) = (parts.head, parts.tail)
    }
}
