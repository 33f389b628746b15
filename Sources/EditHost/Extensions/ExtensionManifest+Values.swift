// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionManifest {
    /// Returns validated values in their canonical form.
    ///
    /// - Throws: `HostError` with `badParameter`, which names the parameter.
    public func checked(
        _ values: [String: ParameterValue]
    ) throws -> [String: ParameterValue] {
        var checked: [String: ParameterValue] = [:]
        for (name, value) in values {
            checked[name] = try failing { try known(name).checked(value) }
        }
        return checked
    }

    /// Parses values from command-line strings.
    ///
    /// - Throws: `HostError` with `badParameter`, which names the parameter.
    public func values(fromTexts texts: [String: String]) throws -> [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for (name, text) in texts {
            values[name] = try failing { try known(name).value(fromText: text) }
        }
        return values
    }

    /// Returns the values of an edit request: those of its preset, overridden by its own.
    ///
    /// - Throws: `HostError` with `badParameter`, which names the preset or the parameter.
    public func values(for request: EditRequest) throws -> [String: ParameterValue] {
        let named = try values(fromTexts: request.values)
        guard let name = request.preset else { return named }
        guard let preset = preset(named: name) else {
            let names = presets.map(\.name)
            let known = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw HostError(
                .badParameter,
                "there is no preset \"\(name)\"; the extension's presets are: \(known)"
                    + name.closest(among: names).suggestion,
                extension: identifier)
        }
        return try checked(preset.values).merging(named) { _, named in named }
    }

    /// The values of a new edit, by parameter name.
    public var defaultValues: [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for parameter in parameters { values[parameter.name] = parameter.default }
        return values
    }

    private func known(_ name: String) throws -> ExtensionParameter {
        guard let parameter = parameter(named: name) else {
            let names = parameters.map(\.name)
            let known = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw InvalidValueError.parameter(
                name,
                "is unknown; the extension's parameters are: \(known)"
                    + name.closest(among: names).suggestion)
        }
        return parameter
    }

    private func failing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as InvalidValueError {
            throw HostError(
                .badParameter, error.description, extension: identifier, underlying: error)
        }
    }
}
