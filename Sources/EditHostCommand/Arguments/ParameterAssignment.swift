// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A parameter assignment, `NAME=VALUE`.
struct ParameterAssignment {
    let name: String
    let value: String

    /// - Throws: `ValidationError` if the argument has another form.
    init(argument: String) throws {
        guard let parts = argument.split(atFirst: "="), !parts.head.isEmpty else {
            throw ValidationError("write NAME=VALUE, such as gain=0.5")
        }
        (name, value) = (parts.head, parts.tail)
    }
}
