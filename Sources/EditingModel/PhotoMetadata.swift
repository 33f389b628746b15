// SPDX-License-Identifier: Apache-2.0

/// The metadata of a photo other than its date and location.
///
/// Initialisation and decoding drop invalid text. Text is not empty, has no surrounding white space or control
/// characters, and is at most ``maximumTextLength`` long. A description may be longer and have several lines.
public struct PhotoMetadata: Codable, Hashable, Sendable {
    /// The identifier that all images of a burst share, as written by the camera.
    public let burstIdentifier: String?
    /// The identifier that the image and the video of a Live Photo share.
    public let contentIdentifier: String?
    /// The camera manufacturer.
    public let cameraMake: String?
    /// The camera model.
    public let cameraModel: String?
    /// The lens model.
    public let lensModel: String?
    /// The rating in stars, 0...5, or -1 for a rejected image; `nil` if the file has no rating.
    public let rating: Int?
    /// The keywords in file order without duplicates; at most ``maximumKeywords``.
    public let keywords: [String]
    /// The title of the image.
    public let title: String?
    /// The author's description of the image, which may have several lines.
    public let descriptionText: String?
    /// The creators, separated by semicolons if there are several.
    public let creator: String?
    /// The copyright notice.
    public let copyright: String?
    /// The label assigned by a program, a colour or a word such as `Red` or `Select`.
    public let label: String?
    /// The exposure time in seconds, greater than 0.
    public let exposureTime: Double?
    /// The camera settings; `nil` if unknown, as for assets imported by earlier versions.
    public let settings: CameraSettings?

    /// The maximum length of a text in bytes of UTF-8.
    public static let maximumTextLength = 256
    /// The maximum length of a description in bytes of UTF-8.
    public static let maximumDescriptionLength = 16_384
    /// The maximum number of keywords. Further keywords are dropped.
    public static let maximumKeywords = 1000
    /// The valid ratings.
    public static let ratings = -1...5

    /// Creates metadata. Invalid values are dropped.
    public init(
        burstIdentifier: String? = nil, contentIdentifier: String? = nil,
        cameraMake: String? = nil, cameraModel: String? = nil, lensModel: String? = nil,
        rating: Int? = nil, keywords: [String] = [], title: String? = nil,
        descriptionText: String? = nil, creator: String? = nil, copyright: String? = nil,
        label: String? = nil, exposureTime: Double? = nil, settings: CameraSettings? = nil
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
        self.creator = creator.flatMap(Self.creator)
        self.copyright = copyright.flatMap(Self.text)
        self.label = label.flatMap(Self.text)
        self.exposureTime = exposureTime.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.settings = settings == CameraSettings() ? nil : settings
    }

    /// The metadata without the burst identifier and user-written text.
    public var ofCamera: PhotoMetadata {
        PhotoMetadata(
            cameraMake: cameraMake, cameraModel: cameraModel, lensModel: lensModel,
            exposureTime: exposureTime, settings: settings)
    }

    /// Returns the metadata with other user-written values.
    package func described(by other: DescriptiveMetadata) -> PhotoMetadata {
        PhotoMetadata(
            burstIdentifier: burstIdentifier, contentIdentifier: contentIdentifier,
            cameraMake: cameraMake, cameraModel: cameraModel, lensModel: lensModel,
            rating: other.rating, keywords: other.keywords, title: other.title,
            descriptionText: other.descriptionText, creator: other.creator,
            copyright: other.copyright, label: other.label, exposureTime: exposureTime,
            settings: settings)
    }

    /// Returns the metadata with this exposure time if it has none.
    package func exposed(for time: Double?) -> PhotoMetadata {
        PhotoMetadata(
            burstIdentifier: burstIdentifier, contentIdentifier: contentIdentifier,
            cameraMake: cameraMake, cameraModel: cameraModel, lensModel: lensModel,
            rating: rating, keywords: keywords, title: title, descriptionText: descriptionText,
            creator: creator, copyright: copyright, label: label,
            exposureTime: exposureTime ?? time, settings: settings)
    }

    private static func keywords(_ texts: [String]) -> [String] {
        var known: Set<String> = []
        var result: [String] = []
        for text in texts where result.count < maximumKeywords {
            if let keyword = Self.text(text), known.insert(keyword).inserted {
                result.append(keyword)
            }
        }
        return result
    }

    /// Decodes metadata. Invalid values are dropped.
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
            creator: try values.decodeIfPresent(String.self, forKey: .creator),
            copyright: try values.decodeIfPresent(String.self, forKey: .copyright),
            label: try values.decodeIfPresent(String.self, forKey: .label),
            exposureTime: try values.decodeIfPresent(Double.self, forKey: .exposureTime),
            settings: try values.decodeIfPresent(CameraSettings.self, forKey: .settings))
    }

    /// Returns a text without surrounding white space; `nil` if it is empty, too long or has control
    /// characters.
    public static func text(_ text: String) -> String? {
        let trimmed = text.trimmingBlanks
        guard !trimmed.isEmpty, trimmed.utf8.count <= maximumTextLength,
            !trimmed.unicodeScalars.contains(where: isControl)
        else { return nil }
        return trimmed
    }

    /// Returns a normalised description, without surrounding white space and with line feeds between lines.
    ///
    /// - Returns: `nil` if the text is empty, too long or has control characters other than tabs.
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
