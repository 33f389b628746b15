// SPDX-License-Identifier: Apache-2.0

extension ExtensionManifest {
    /// The maximum number of ``hashedFiles``.
    public static let maximumHashedFiles = 256

    /// Validates the rules that decoding does not enforce.
    ///
    /// - Throws: `InvalidValueError` with the code `invalidManifest`.
    func check() throws {
        try Self.checkName(identifier, key: "identifier")
        guard identifier.contains(".") else {
            throw InvalidValueError.manifest(
                "identifier", "must be in reverse-DNS form, such as com.example.invert")
        }
        try Self.checkName(name, key: "name")
        try Self.checkName(version, key: "version")
        guard abiVersion != nil else {
            throw InvalidValueError.manifest("abi", "must be \"major.minor\"")
        }
        try Self.checkFile(library, key: "library")
        try checkCatalogueEntry()
        guard hashedFiles.count <= Self.maximumHashedFiles else {
            throw InvalidValueError.manifest(
                "hashedFiles", "has more than \(Self.maximumHashedFiles) files")
        }
        for file in hashedFiles { try Self.checkFile(file, key: "hashedFiles") }
        for (key, formats) in [("reads", reads), ("writes", writes), ("upgrades", upgrades)] {
            for (index, format) in formats.enumerated() {
                try Self.checkName(
                    format.formatIdentifier, key: "\(key)[\(index)].formatIdentifier")
            }
        }
        for parameter in parameters where parameter.type == .file {
            guard case .string(let file) = parameter.default else { continue }
            guard hashedFiles.contains(file) else {
                throw InvalidValueError.manifest(
                    "parameters.\(parameter.name).default", "must be one of hashedFiles")
            }
        }
        guard !supportedMediaTypes.isEmpty else {
            throw InvalidValueError.manifest(
                "supportedMediaTypes", "must have at least one type")
        }
        guard !pixelFormats.isEmpty else {
            throw InvalidValueError.manifest(
                "pixelFormats", "must have at least one format")
        }
        try checkParameters()
        try checkConditions()
        try checkPresets()
    }

    /// Replaces the defaults and the values of presets by their canonical forms, which the code of an extension and
    /// forms can rely on.
    mutating func normalizeValues() throws {
        for index in parameters.indices {
            let parameter = parameters[index]
            parameters[index].default = try parameter.default.map(parameter.checked)
        }
        let parametersByName = parametersByName
        for index in presets.indices {
            for (name, value) in presets[index].values {
                presets[index].values[name] = try parametersByName[name]?.checked(value)
            }
        }
    }

    private func checkParameters() throws {
        var names: Set<String> = []
        var roles: Set<ParameterRole> = []
        for (index, parameter) in parameters.enumerated() {
            guard names.insert(parameter.name).inserted else {
                throw InvalidValueError.manifest(
                    "parameters[\(index)].name",
                    "is used twice: \"\(parameter.name)\"")
            }
            try parameter.check(key: "parameters[\(index)]")
            guard let role = parameter.role, role.type != nil else { continue }
            guard roles.insert(role).inserted else {
                throw InvalidValueError.manifest(
                    "parameters[\(index)].role", "is used twice: \"\(role.rawValue)\"")
            }
        }
    }

    static func checkFile(_ name: String, key: String) throws {
        try checkName(name, key: key)
        guard !name.utf8.contains(UInt8(ascii: "/")), name != "..", name != "." else {
            throw InvalidValueError.manifest(
                key, "must be a file in the extension's folder, not \"\(name)\"")
        }
    }

    static func checkName(_ text: String, key: String) throws {
        guard text.isName else {
            throw InvalidValueError.manifest(
                key,
                "must be 1 to 255 bytes without control characters, line separators and bidirectional controls"
            )
        }
    }
}
