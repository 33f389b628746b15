// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerHost

/// An edit stack that can be applied to any photo: the recipes of one or more extensions, in order. Stored as a
/// JSON file that can be shared.
public struct EditPreset: Equatable, Sendable {
    /// One edit of a preset.
    public struct Step: Equatable, Sendable {
        /// The identifier of the extension that made the edit.
        public let extensionIdentifier: String
        /// The version of the extension that made the edit.
        public let extensionVersion: String
        /// The recipe of the edit.
        public let adjustmentData: AdjustmentData

        /// Creates a step.
        public init(
            extensionIdentifier: String, extensionVersion: String, adjustmentData: AdjustmentData
        ) {
            self.extensionIdentifier = extensionIdentifier
            self.extensionVersion = extensionVersion
            self.adjustmentData = adjustmentData
        }
    }

    /// The edits, from the bottom of the stack up.
    public let steps: [Step]

    /// Creates a preset.
    public init(steps: [Step]) { self.steps = steps }

    /// The current version of the file format.
    static let version = 1
    /// The maximum number of edits in a preset.
    static let maximumSteps = 100
    // The byte limit is high because recipes are long; each counts as a single value.
    private static let limits = JSONLimits(
        bytes: SharedFile.maximumBytes, values: 10_000, depth: 8)

    /// Creates a preset from the current edit stack of an asset.
    ///
    /// - Parameter extensions: The identifiers of the extensions whose edits are included; nil means all enabled edits.
    /// - Throws: `HostError` with `badRequest` if there are no such edits, or one of them cannot be applied to another
    ///   asset.
    init(_ history: AssetHistory, extensions: [String]?) throws {
        let asset = history.asset.localIdentifier
        let edits = history.chain.filter { edit in
            guard edit.isEnabled, let extensions else { return edit.isEnabled }
            return edit.editingExtension.map { extensions.contains($0.identifier) } ?? false
        }
        guard !edits.isEmpty else {
            throw HostError(.badRequest, "no matching edits", asset: asset)
        }
        steps = try edits.map { edit in
            guard let identity = edit.editingExtension, edit.isReproducible else {
                throw HostError(
                    .badRequest,
                    "an edit was made by an application, or cannot be rendered again",
                    asset: asset)
            }
            guard edit.files.isEmpty else {
                throw HostError(
                    .badRequest,
                    "the edit with \(identity.identifier) uses files, which presets cannot "
                        + "contain; use copy-edits instead", asset: asset,
                    extension: identity.identifier)
            }
            return Step(
                extensionIdentifier: identity.identifier, extensionVersion: identity.version,
                adjustmentData: edit.adjustmentData)
        }
    }
}

// MARK: - Files

extension EditPreset {
    /// Reads a preset from an untrusted file.
    ///
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed` or `badInput`. The message names the file and the reason.
    public init(file path: String) throws {
        let content: Content = try PresetFile.content(
            of: path, kind: "a preset", within: Self.limits)
        func refusal(_ reason: String, _ cause: (any Error)? = nil) -> HostError {
            PresetFile.refusal(path, "a preset", reason, cause)
        }
        guard (1...Self.maximumSteps).contains(content.edits.count) else {
            throw refusal(
                "it has \(content.edits.count) edits; a preset has 1 to \(Self.maximumSteps)")
        }
        for edit in content.edits where !edit.extension.isName || !edit.version.isName {
            throw refusal(
                "names and versions of extensions must have 1 to 255 bytes without control "
                    + "characters, line separators and bidirectional controls")
        }
        do {
            steps = try content.edits.map { edit in
                Step(
                    extensionIdentifier: edit.extension, extensionVersion: edit.version,
                    adjustmentData: try AdjustmentData(
                        formatIdentifier: edit.formatIdentifier, formatVersion: edit.formatVersion,
                        data: edit.data
                    ).checked())
            }
        } catch {
            throw refusal("\(error)", error)
        }
    }

    /// Writes the preset to a file.
    ///
    /// - Parameter replaces: Whether an existing file is replaced.
    /// - Throws: `HostError` with `fileFailed` if the file exists already or cannot be written.
    public func write(toFile path: String, replaces: Bool = false) throws {
        let bytes = try OpenFile.memory("preset", holding: try encoded)
        guard !replaces else { return try NewFile.replace(path, with: bytes) }
        try NewFile.make(path, with: OutgoingFile(bytes))
    }

    /// The preset encoded as JSON, with sorted keys.
    public var encoded: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(
                Content(
                    edits: steps.map {
                        Content.Edit(
                            extension: $0.extensionIdentifier, version: $0.extensionVersion,
                            formatIdentifier: $0.adjustmentData.formatIdentifier,
                            formatVersion: $0.adjustmentData.formatVersion,
                            data: $0.adjustmentData.data)
                    }))
        }
    }

    private struct Content: Codable {
        struct Edit: Codable {
            let `extension`: String
            let version: String
            let formatIdentifier: String
            let formatVersion: String
            let data: Data

            init(
                extension: String, version: String, formatIdentifier: String, formatVersion: String,
                data: Data
            ) {
                self.extension = `extension`
                self.version = version
                self.formatIdentifier = formatIdentifier
                self.formatVersion = formatVersion
                self.data = data
            }

            /// `text` holds a recipe that is UTF-8, so that users can read and edit it; `data` holds any other in
            /// Base64.
            enum CodingKeys: String, CodingKey, CaseIterable {
                case `extension`, version, formatIdentifier, formatVersion, text, data
            }

            init(from decoder: any Decoder) throws {
                try PresetFile.requireKnown(CodingKeys.self, in: decoder)
                let values = try decoder.container(keyedBy: CodingKeys.self)
                `extension` = try values.decode(String.self, forKey: .extension)
                version = try values.decode(String.self, forKey: .version)
                formatIdentifier = try values.decode(String.self, forKey: .formatIdentifier)
                formatVersion = try values.decode(String.self, forKey: .formatVersion)
                guard values.contains(.text) != values.contains(.data) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .data, in: values,
                        debugDescription: "or text is required, but not both")
                }
                data =
                    values.contains(.text)
                    ? Data(try values.decode(String.self, forKey: .text).utf8)
                    : try values.decode(Data.self, forKey: .data)
            }

            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(`extension`, forKey: .extension)
                try values.encode(version, forKey: .version)
                try values.encode(formatIdentifier, forKey: .formatIdentifier)
                try values.encode(formatVersion, forKey: .formatVersion)
                if let text = String(validating: data, as: UTF8.self) {
                    try values.encode(text, forKey: .text)
                } else {
                    try values.encode(data, forKey: .data)
                }
            }
        }

        let edits: [Edit]

        init(edits: [Edit]) { self.edits = edits }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case preset, edits
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let version = try values.decode(Int.self, forKey: .preset)
            // Checked before the keys, because a newer version may have more of them.
            guard version <= EditPreset.version else { throw PresetFile.Newer(version: version) }
            try PresetFile.requireKnown(CodingKeys.self, in: decoder)
            edits = try values.decode([Edit].self, forKey: .edits)
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(EditPreset.version, forKey: .preset)
            try values.encode(edits, forKey: .edits)
        }
    }
}
