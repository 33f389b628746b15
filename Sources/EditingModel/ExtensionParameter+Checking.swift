// SPDX-License-Identifier: Apache-2.0

extension ExtensionParameter {
    /// Validates the declaration in a manifest.
    func check(key: String) throws {
        try ExtensionManifest.checkName(name, key: key + ".name")
        guard !name.utf8.contains(UInt8(ascii: "=")) else {
            throw InvalidValueError.manifest(key + ".name", "must not contain \"=\"")
        }
        if let minimum, let maximum, minimum > maximum {
            throw InvalidValueError.manifest(
                key + ".minimum", "is larger than maximum")
        }
        if let required = role?.type, required != type {
            throw InvalidValueError.manifest(
                key + ".role", "needs the type \(required.rawValue), not \(type.rawValue)")
        }
        try checkCounts(key: key)
        try checkChoices(key: key)
        for (name, text) in [("label", label), ("help", help), ("group", group)] {
            try text?.check(key: "\(key).\(name)")
        }
        guard let value = self.default else {
            guard type == .file else {
                throw InvalidValueError.manifest(key + ".default", "is missing")
            }
            return
        }
        try check(value, key: key + ".default")
    }

    /// Validates a value in the manifest, such as a default.
    func check(_ value: ParameterValue, key: String) throws {
        do {
            _ = try checked(value)
        } catch {
            throw InvalidValueError.manifest(key, "\(error)")
        }
    }
}
