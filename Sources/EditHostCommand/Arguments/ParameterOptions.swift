// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The option for the values of parameters.
struct ParameterOptions: ParsableArguments {
    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            "Set a parameter; `edithost extensions show` lists the parameters.",
            discussion: """
                May be repeated. Other parameters keep the values of the edit that is updated. \
                Rectangles are x,y,width,height and points are x,y, as fractions of the picture; \
                colours are #rrggbb or #rrggbbaa; booleans are true or false; files are paths; \
                lists of points and curves are [[x,y],...].
                """,
            valueName: "name=value"),
        completion: .parameter, transform: ParameterAssignment.init(argument:))
    var assignments: [ParameterAssignment] = []

    func validate() throws {
        var names: Set<String> = []
        for assignment in assignments where !names.insert(assignment.name).inserted {
            throw ValidationError("The parameter \(assignment.name) is set more than once.")
        }
    }

    /// The values as text, by the names of their parameters.
    var texts: [String: String] {
        Dictionary(assignments.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }
}
