// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension ExtensionManifest {
    /// The maximum size of a manifest in bytes: 1 MiB.
    public static let maximumSize = 1 << 20

    /// Creates a manifest from the bytes of a `manifest.json`, and validates it. Defaults and the values of presets get
    /// their canonical forms, like the values that a user sets.
    ///
    /// - Throws: `InvalidValueError` with the code `invalidManifest`, which names the key and the problem.
    public init(json: Data) throws {
        guard json.count <= Self.maximumSize else {
            throw InvalidValueError.manifest("", "is larger than 1 MiB")
        }
        do {
            self = try JSONDecoder().decode(ExtensionManifest.self, from: json)
            try check()
            try normalizeValues()
        } catch let error as DecodingError {
            guard !error.isNumberMismatch(in: json) else {
                throw InvalidValueError.manifest(
                    "", "is invalid: \(DecodingError.numberMismatch)")
            }
            throw InvalidValueError.manifest(error).located(in: json)
        } catch let error as InvalidValueError {
            throw error.located(in: json)
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case identifier, name, version, abi, library, minimumHost, supportedMediaTypes
        case vendor, author, homepage, support, license, description, categories, icon
        case reads, writes, upgrades, pixelFormats, access, contentBound, expensive
        case hashedFiles, readsOriginal, keepsPixelsInPlace, parameters, presets
    }

    /// Decodes a manifest. Keys with a default value are optional; unknown keys are ignored.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try values.decode(String.self, forKey: .identifier)
        name = try values.decode(String.self, forKey: .name)
        version = try values.decode(String.self, forKey: .version)
        abi = try values.decode(String.self, forKey: .abi)
        library = try values.decode(String.self, forKey: .library)
        vendor = try values.decodeIfPresent(String.self, forKey: .vendor)
        author = try values.decodeIfPresent(String.self, forKey: .author)
        homepage = try values.decodeIfPresent(String.self, forKey: .homepage)
        support = try values.decodeIfPresent(String.self, forKey: .support)
        license = try values.decodeIfPresent(String.self, forKey: .license)
        description = try values.decodeIfPresent(LocalizedText.self, forKey: .description)
        categories = try values.decodeIfPresent([String].self, forKey: .categories) ?? []
        icon = try values.decodeIfPresent(String.self, forKey: .icon)
        minimumHost = try values.decodeIfPresent(String.self, forKey: .minimumHost)
        supportedMediaTypes = try Self.mediaTypes(in: values)
        reads = try values.decodeIfPresent([AdjustmentFormat].self, forKey: .reads) ?? []
        writes = try values.decodeIfPresent([AdjustmentFormat].self, forKey: .writes) ?? []
        upgrades = try values.decodeIfPresent([AdjustmentFormat].self, forKey: .upgrades) ?? []
        pixelFormats =
            try values.decodeIfPresent([PixelFormat].self, forKey: .pixelFormats)
            ?? PixelFormat.allCases
        access = try values.decodeIfPresent(PixelAccess.self, forKey: .access) ?? .sequential
        contentBound = try values.decodeIfPresent(Bool.self, forKey: .contentBound) ?? false
        expensive = try values.decodeIfPresent(Bool.self, forKey: .expensive) ?? false
        hashedFiles = try values.decodeIfPresent([String].self, forKey: .hashedFiles) ?? []
        readsOriginal = try values.decodeIfPresent(Bool.self, forKey: .readsOriginal) ?? false
        keepsPixelsInPlace =
            try values.decodeIfPresent(Bool.self, forKey: .keepsPixelsInPlace) ?? false
        parameters =
            try values.decodeIfPresent([ExtensionParameter].self, forKey: .parameters) ?? []
        presets = try values.decodeIfPresent([ParameterPreset].self, forKey: .presets) ?? []
    }

    /// Encodes the manifest in the form that ``init(json:)`` reads.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(identifier, forKey: .identifier)
        try values.encode(name, forKey: .name)
        try values.encode(version, forKey: .version)
        try values.encode(abi, forKey: .abi)
        try values.encode(library, forKey: .library)
        try values.encodeIfPresent(vendor, forKey: .vendor)
        try values.encodeIfPresent(author, forKey: .author)
        try values.encodeIfPresent(homepage, forKey: .homepage)
        try values.encodeIfPresent(support, forKey: .support)
        try values.encodeIfPresent(license, forKey: .license)
        try values.encodeIfPresent(description, forKey: .description)
        if !categories.isEmpty { try values.encode(categories, forKey: .categories) }
        try values.encodeIfPresent(icon, forKey: .icon)
        try values.encodeIfPresent(minimumHost, forKey: .minimumHost)
        try values.encode(supportedMediaTypes.map(\.name), forKey: .supportedMediaTypes)
        try values.encode(reads, forKey: .reads)
        try values.encode(writes, forKey: .writes)
        try values.encode(upgrades, forKey: .upgrades)
        try values.encode(pixelFormats, forKey: .pixelFormats)
        try values.encode(access, forKey: .access)
        try values.encode(contentBound, forKey: .contentBound)
        try values.encode(expensive, forKey: .expensive)
        try values.encode(hashedFiles, forKey: .hashedFiles)
        try values.encode(readsOriginal, forKey: .readsOriginal)
        try values.encode(keepsPixelsInPlace, forKey: .keepsPixelsInPlace)
        try values.encode(parameters, forKey: .parameters)
        try values.encode(presets, forKey: .presets)
    }

    private static func mediaTypes(
        in values: KeyedDecodingContainer<CodingKeys>
    ) throws -> [MediaType] {
        try values.decode([String].self, forKey: .supportedMediaTypes).map { name in
            guard let type = MediaType.allCases.first(where: { $0.name == name }),
                type != .unknown
            else {
                throw InvalidValueError.manifest(
                    "supportedMediaTypes",
                    "must be image, video or audio, not \"\(name)\"")
            }
            return type
        }
    }

    /// The version of the C ABI as numbers; `nil` if ``abi`` is malformed.
    public var abiVersion: (major: Int, minor: Int)? {
        let parts = abi.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let major = Int(parts[0]), let minor = Int(parts[1]),
            major >= 0, minor >= 0
        else { return nil }
        return (major, minor)
    }
}
