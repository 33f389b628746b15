// SPDX-License-Identifier: Apache-2.0

/// What a file's metadata says about a photograph beside its date and place.
///
/// Whatever it is made of, or decoded from, keeps to its bounds: texts are not empty, without
/// white space around them, without control characters, and no longer than ``maximumTextLength``. A text
/// that is otherwise counts as none; a description may be longer and have several lines.
public struct PhotoMetadata: Codable, Hashable, Sendable {
    /// What the pictures of one burst have in common, as their camera wrote it.
    public let burstIdentifier: String?
    /// What a Live Photo's still picture and its video have in common.
    public let contentIdentifier: String?
    /// Who made the camera.
    public let cameraMake: String?
    /// The camera.
    public let cameraModel: String?
    /// The lens.
    public let lensModel: String?
    /// Stars, 0...5, or -1 for a rejected picture; nil where the file has no rating.
    public let rating: Int?
    /// Keywords in the order of the file, each once; at most ``maximumKeywords``.
    public let keywords: [String]
    /// The title.
    public let title: String?
    /// What the picture shows, in the words of its author; of several lines, perhaps.
    public let descriptionText: String?
    /// The colour or word by which a program labels pictures, such as `Red` or `Select`.
    public let label: String?
    /// For how long the picture was exposed, in seconds; more than 0.
    public let exposureTime: Double?
    /// How the camera was set; nil where nothing is known of that, as of what earlier versions imported.
    public let settings: CameraSettings?

    /// The longest text, in bytes of UTF-8.
    public static let maximumTextLength = 256
    /// The longest description, in bytes of UTF-8.
    public static let maximumDescriptionLength = 16_384
    /// How many keywords are taken at most.
    public static let maximumKeywords = 1000
    /// The ratings that there are.
    public static let ratings = -1...5

    /// Makes metadata; every argument is the property of its name.
    public init(
        burstIdentifier: String? = nil, contentIdentifier: String? = nil,
        cameraMake: String? = nil, cameraModel: String? = nil, lensModel: String? = nil,
        rating: Int? = nil, keywords: [String] = [], title: String? = nil,
        descriptionText: String? = nil, label: String? = nil, exposureTime: Double? = nil,
        settings: CameraSettings? = nil
    ) {
        self.burstIdentifier = burstIdentifier.flatMap(Self.text)
        self.contentIdentifier = contentIdentifier.flatMap(Self.text)
        self.cameraMake = cameraMake.flatMap(Self.text)
        self.cameraModel = cameraModel.flatMap(Self.text)
        self.lensModel = lensModel.flatMap(Self.text)
        self.rating = rating.flatMap { Self.ratings.contains($0) ? $0 : nil }
        self.keywords = Self.keywords(keywords)
        self.title = title.flatMap(Self.text)
        self.descriptionText = descriptionText.flatMap(Self.description)
        self.label = label.flatMap(Self.text)
        self.exposureTime = exposureTime.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.settings = settings == CameraSettings() ? nil : settings
    }

    /// The same without what the pictures of a burst have in common, and without people's words.
    public var ofCamera: PhotoMetadata {
        PhotoMetadata(
            cameraMake: cameraMake, cameraModel: cameraModel, lensModel: lensModel,
            exposureTime: exposureTime, settings: settings)
    }

    /// The same, with people's words from elsewhere where there are none.
    package func completed(with other: PhotoMetadata) -> PhotoMetadata {
        PhotoMetadata(
            burstIdentifier: burstIdentifier, contentIdentifier: contentIdentifier,
            cameraMake: cameraMake, cameraModel: cameraModel, lensModel: lensModel,
            rating: rating ?? other.rating,
            keywords: keywords.isEmpty ? other.keywords : keywords, title: title ?? other.title,
            descriptionText: descriptionText ?? other.descriptionText,
            label: label ?? other.label, exposureTime: exposureTime, settings: settings)
    }

    private static func keywords(_ texts: [String]) -> [String] {
        var known: Set<String> = []
        var kept: [String] = []
        for text in texts where kept.count < maximumKeywords {
            if let keyword = Self.text(text), known.insert(keyword).inserted {
                kept.append(keyword)
            }
        }
        return kept
    }

    /// Decodes metadata.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            burstIdentifier: try values.decodeIfPresent(String.self, forKey: .burstIdentifier),
            contentIdentifier: try values.decodeIfPresent(String.self, forKey: .contentIdentifier),
            cameraMake: try values.decodeIfPresent(String.self, forKey: .cameraMake),
            cameraModel: try values.decodeIfPresent(String.self, forKey: .cameraModel),
            lensModel: try values.decodeIfPresent(String.self, forKey: .lensModel),
            rating: try values.decodeIfPresent(Int.self, forKey: .rating),
            keywords: try values.decodeIfPresent([String].self, forKey: .keywords) ?? [],
            title: try values.decodeIfPresent(String.self, forKey: .title),
            descriptionText: try values.decodeIfPresent(String.self, forKey: .descriptionText),
            label: try values.decodeIfPresent(String.self, forKey: .label),
            exposureTime: try values.decodeIfPresent(Double.self, forKey: .exposureTime),
            settings: try values.decodeIfPresent(CameraSettings.self, forKey: .settings))
    }

    /// A text as this type keeps it, without white space around it; nil where it is empty, too long or
    /// has control characters.
    public static func text(_ text: String) -> String? {
        let trimmed = text.trimmingBlanks
        guard !trimmed.isEmpty, trimmed.utf8.count <= maximumTextLength,
            !trimmed.unicodeScalars.contains(where: isControl)
        else { return nil }
        return trimmed
    }

    /// A description as this type keeps it: with a line feed after each line but the last, without white
    /// space around it; nil where it is empty, too long or has other control characters than tabs.
    public static func description(_ text: String) -> String? {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        let trimmed = lines.joined(separator: "\n").trimmingBlanks
        guard !trimmed.isEmpty, trimmed.utf8.count <= maximumDescriptionLength,
            !trimmed.unicodeScalars.contains(where: { isControl($0) && $0 != "\n" && $0 != "\t" })
        else { return nil }
        return trimmed
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
