// SPDX-License-Identifier: Apache-2.0

extension ExtensionManifest {
    /// Returns the parameters that a form shows for the given values.
    ///
    /// A parameter is shown if its condition is met by a parameter that is shown itself. Hidden parameters keep
    /// their values.
    ///
    /// - Parameter values: The current values, keyed by parameter name. Missing values are the defaults.
    public func visibleParameters(
        with values: [String: ParameterValue]
    ) -> [ExtensionParameter] {
        let parametersByName = parametersByName
        var isVisible: [String: Bool] = [:]
        for parameter in parameters {
            // Follows the conditions to a parameter that is resolved or unconditional, then resolves the chain
            // backwards.
            var waiting: [ExtensionParameter] = []
            var next: ExtensionParameter? = parameter
            while let one = next, isVisible[one.name] == nil {
                // Provisional. Parameters in a circular chain remain hidden.
                isVisible[one.name] = false
                waiting.append(one)
                next = one.visibleWhen.flatMap { parametersByName[$0.parameter] }
            }
            for one in waiting.reversed() {
                isVisible[one.name] =
                    one.visibleWhen.map { condition in
                        let other = parametersByName[condition.parameter]
                        guard let value = values[condition.parameter] ?? other?.default else {
                            return false
                        }
                        return isVisible[condition.parameter] == true
                            && condition.values.contains(value)
                    } ?? true
            }
        }
        return parameters.filter { isVisible[$0.name] == true }
    }

    /// Validates that conditions refer to other parameters and their possible values, without circular
    /// references.
    func checkConditions() throws {
        let parametersByName = parametersByName
        for (index, parameter) in parameters.enumerated() {
            guard let condition = parameter.visibleWhen else { continue }
            try check(condition, parametersByName, key: "parameters[\(index)].visibleWhen")
        }
        guard let cycle = cycle(parametersByName), let first = cycle.first,
            let index = parameters.firstIndex(where: { $0.name == first })
        else { return }
        throw InvalidValueError.manifest(
            "parameters[\(index)].visibleWhen",
            "is circular: \(cycle.joined(separator: " -> "))")
    }

    private func check(
        _ condition: ParameterCondition, _ parametersByName: [String: ExtensionParameter],
        key: String
    ) throws {
        guard let other = parametersByName[condition.parameter] else {
            let closest = condition.parameter.closest(among: parameters.map(\.name))
            throw InvalidValueError.manifest(
                "\(key).parameter",
                "is not a parameter: \"\(condition.parameter)\"\(closest.suggestion)")
        }
        guard [.boolean, .choice, .integer].contains(other.type) else {
            throw InvalidValueError.manifest(
                "\(key).parameter",
                "must be a boolean, a choice or an integer, but \"\(other.name)\" is not")
        }
        guard !condition.values.isEmpty else {
            throw InvalidValueError.manifest("\(key).in", "must have at least one value")
        }
        for (index, value) in condition.values.enumerated() {
            try other.check(value, key: "\(key).in[\(index)]")
        }
    }

    /// Returns the first circular chain of conditions, with its first name repeated at the end.
    private func cycle(_ parametersByName: [String: ExtensionParameter]) -> [String]? {
        var seen: Set<String> = []
        for parameter in parameters {
            var way: [String] = []
            var next: String? = parameter.name
            while let name = next, seen.insert(name).inserted {
                way.append(name)
                next = parametersByName[name]?.visibleWhen?.parameter
            }
            if let name = next, let start = way.firstIndex(of: name) {
                return Array(way[start...]) + [name]
            }
        }
        return nil
    }
}
