// SPDX-License-Identifier: Apache-2.0

extension ExtensionManifest {
    /// Returns the preset with the given name, or `nil`.
    public func preset(named name: String) -> ParameterPreset? {
        presets.first { $0.name == name }
    }

    /// The maximum number of presets in a manifest.
    public static let maximumPresets = 256

    /// Validates that preset names are unique and their values are valid for the parameters.
    func checkPresets() throws {
        guard presets.count <= Self.maximumPresets else {
            throw InvalidValueError.manifest(
                "presets", "has more than \(Self.maximumPresets) presets")
        }
        let parametersByName = parametersByName
        var names: Set<String> = []
        for (index, preset) in presets.enumerated() {
            let key = "presets[\(index)]"
            try Self.checkName(preset.name, key: "\(key).name")
            guard names.insert(preset.name).inserted else {
                throw InvalidValueError.manifest(
                    "\(key).name", "is used more than once: \"\(preset.name)\"")
            }
            try preset.label?.check(key: "\(key).label")
            for name in preset.values.keys.sorted() {
                try check(
                    preset.values[name], of: parametersByName[name], named: name,
                    key: "\(key).values.\(name)")
            }
        }
    }

    private func check(
        _ value: ParameterValue?, of parameter: ExtensionParameter?, named name: String, key: String
    ) throws {
        guard let value else { return }
        guard let parameter else {
            let closest = name.closest(among: parameters.map(\.name))
            throw InvalidValueError.manifest(key, "is not a parameter\(closest.suggestion)")
        }
        guard parameter.type != .file else {
            throw InvalidValueError.manifest(
                key, "is a file parameter, which presets cannot set")
        }
        try parameter.check(value, key: key)
    }
}
