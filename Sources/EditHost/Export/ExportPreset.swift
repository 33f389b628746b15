// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// Export options stored in a JSON file that can be shared:
///
///     {"exportPreset": 1, "format": "jpeg", "quality": 85, "size": "2048x2048", "sharpen": "standard",
///      "profile": "srgb", "metadata": "copyright", "location": false, "people": false,
///      "name": "{date:%Y/%m}/{name}-{version}{sequence}"}
///
/// All keys but the first are optional. The other keys are `sidecar` (`xmp`), `live`, `videoCodec` (`h264`, `hevc`, `copy`),
/// `crf`, `height` and `encoderPreset`. Unknown keys are rejected.
public struct ExportPreset: Sendable {
    /// The options set by the preset. Omitted keys have the defaults of ``ExportOptions``.
    public let options: ExportOptions

    /// The newest supported version of the file format.
    private static let version = 1
    private static let limits = JSONLimits(bytes: 1 << 20, values: 1_000, depth: 8)

    /// Reads a preset from an untrusted file.
    ///
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed` or `badInput`, with the path and the reason in its
    ///   message.
    public init(file path: String) throws {
        let content: Content = try PresetFile.content(
            of: path, kind: "an export preset", within: Self.limits)
        do {
            options = try content.options
        } catch let error as HostError {
            throw PresetFile.refusal(path, "an export preset", error.message, error)
        }
    }

    /// Reads a preset by name from the folder `export-presets` of the configuration, or by path if the name
    /// contains a slash or ends with `.json`.
    ///
    /// - Throws: The errors of ``init(file:)``; `HostError` with `badConfiguration` if there is no
    ///   configuration folder.
    public init(named name: String, _ configuration: HostConfiguration) throws {
        guard !name.contains("/"), !name.hasSuffix(".json") else {
            try self.init(file: name)
            return
        }
        guard let folder = configuration.configurationFolder else {
            throw HostError(
                .badConfiguration,
                "no folder for presets; set HOME or XDG_CONFIG_HOME")
        }
        try self.init(file: "\(folder)/export-presets/\(name).json")
    }

    private struct Content: Decodable {
        let format: String?
        let quality: Int?
        let size: String?
        let sharpen: String?
        let profile: String?
        let metadata: String?
        let location: Bool?
        let people: Bool?
        let name: String?
        let sidecar: String?
        let live: String?
        let videoCodec: String?
        let crf: Int?
        let height: Int?
        let encoderPreset: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case exportPreset, format, quality, size, sharpen, profile, metadata, location, people,
                name, sidecar, live, videoCodec, crf, height, encoderPreset
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let version = try values.decode(Int.self, forKey: .exportPreset)
            guard version <= ExportPreset.version else { throw PresetFile.Newer(version: version) }
            guard version > 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .exportPreset, in: values, debugDescription: "is not a version number")
            }
            try PresetFile.requireKnown(CodingKeys.self, in: decoder)
            func text(_ key: CodingKeys) throws -> String? {
                try values.decodeIfPresent(String.self, forKey: key)
            }
            func number(_ key: CodingKeys) throws -> Int? {
                try values.decodeIfPresent(Int.self, forKey: key)
            }
            format = try text(.format)
            quality = try number(.quality)
            size = try text(.size)
            sharpen = try text(.sharpen)
            profile = try text(.profile)
            metadata = try text(.metadata)
            location = try values.decodeIfPresent(Bool.self, forKey: .location)
            people = try values.decodeIfPresent(Bool.self, forKey: .people)
            name = try text(.name)
            sidecar = try text(.sidecar)
            live = try text(.live)
            videoCodec = try text(.videoCodec)
            crf = try number(.crf)
            height = try number(.height)
            encoderPreset = try text(.encoderPreset)
        }

        var options: ExportOptions {
            get throws {
                var options = ExportOptions()
                options.format = try format.map { text in
                    guard let format = MediaFormat(name: text), format.isWritten else {
                        throw Self.unknown(text, .format, MediaFormat.writtenNames)
                    }
                    return format
                }
                options.quality = quality
                options.size = try size.map { text in
                    guard let size = PixelSize(text) else {
                        throw HostError(.badRequest, "invalid size \"\(text)\"; use WIDTHxHEIGHT")
                    }
                    return size
                }
                options.sharpening = try Self.value(sharpen, .sharpen)
                options.profile = try Self.value(profile, .profile) ?? .original
                options.metadata = try Self.value(metadata, .metadata)
                options.includesLocation = location ?? true
                options.includesPeople = people ?? true
                options.name = try name.map { try ExportNameTemplate($0) }
                options.sidecar = try Self.value(sidecar, .sidecar)
                options.livePhotoPart = try Self.value(live, .live)
                options.video = try video
                try options.validate()
                return options
            }
        }

        private var video: VideoExport? {
            get throws {
                let preset: VideoExport.Preset? = try Self.value(encoderPreset, .encoderPreset)
                let isEncoded = crf != nil || height != nil || preset != nil
                if videoCodec == "copy" {
                    guard !isEncoded else {
                        throw HostError(
                            .badRequest,
                            "videoCodec copy does not re-encode; leave out crf, height and "
                                + "encoderPreset")
                    }
                    return nil
                }
                let codec: VideoExport.Codec? = try Self.value(
                    videoCodec, .videoCodec, also: ["copy"])
                guard codec != nil || isEncoded else { return nil }
                return VideoExport(
                    codec: codec ?? .h264, quality: crf, height: height, preset: preset)
            }
        }

        private static func value<Value: RawRepresentable<String> & CaseIterable>(
            _ text: String?, _ key: CodingKeys, also others: [String] = []
        ) throws -> Value? {
            try text.map { text in
                guard let value = Value(rawValue: text) else {
                    throw unknown(text, key, Value.allCases.map(\.rawValue) + others)
                }
                return value
            }
        }

        private static func unknown(
            _ text: String, _ key: CodingKeys, _ known: [String]
        ) -> HostError {
            HostError(
                .badRequest,
                "unknown \(key.stringValue) \"\(text)\"; use one of "
                    + known.joined(separator: ", "))
        }
    }
}
