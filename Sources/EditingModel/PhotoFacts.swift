// SPDX-License-Identifier: Apache-2.0

/// What a runner found out about a picture, or a video, by decoding it.
public struct PhotoFacts: Codable, Hashable, Sendable {
    /// The format by content.
    public var format: MediaFormat
    /// Width in pixels of the picture held upright.
    public var pixelWidth: Int
    /// Height in pixels of the picture held upright.
    public var pixelHeight: Int
    /// The EXIF orientation that the file carries, 1...8; 1 where it has none.
    public var orientation: Int
    /// Bits per sample of the file's pixels: 8 or 16.
    public var bitsPerSample: Int
    /// Whether the picture has an alpha channel.
    public var hasAlpha: Bool
    /// The file's colour space before conversion to RGB.
    public var colorModel: ColorModel
    /// The JPEG file's chroma is not subsampled (4:4:4); false for other formats.
    public var hasFullChroma: Bool
    /// The file is compressed with loss, as far as its format tells.
    public var isLossy: Bool
    /// Frames or pages in the file; only the first is ever used.
    public var frameCount: Int
    /// What kinds of picture it is.
    public var mediaSubtypes: MediaSubtype
    /// When it was taken, by the usual priority of the metadata; nil where the file has no date.
    public var creationDate: CaptureDate?
    /// Where it was taken.
    public var location: Location?
    /// What else its metadata says; nil where nobody has looked.
    public var metadata: PhotoMetadata?

    /// What a video is beside; nil: it is a picture.
    public var video: VideoFacts?
    /// The video in the file of a Motion Photo, which was found where the file says that it is; nil: there is
    /// none.
    public var embeddedVideo: EmbeddedVideo?
    /// Why there is none though the file says that there is, in words; nil: it says nothing of the kind, or
    /// there is one.
    public var embeddedVideoProblem: String?
    /// What Apple's maker note says of the picture's place in its Live Photo's video; what it counts is not known.
    /// Nil: nothing.
    public var livePhotoVideoIndex: Int?
    /// What else the file has beside its picture, which an edited picture has not; nil: nothing, or it was not looked for.
    public var companions: [Companion]?

    /// What a file of a photograph may have beside its picture.
    public enum Companion: String, Codable, Sendable, CaseIterable {
        /// The map that makes the picture one of high dynamic range.
        case gainMap
        /// How far away what is seen is.
        case depthData
        /// Which part of the picture shows persons, their hair, skin or teeth, or the sky.
        case mattes

        /// What it is, in words.
        public var words: String {
            switch self {
            case .gainMap: "the gain map, which makes it a picture of high dynamic range"
            case .depthData: "the depth data"
            case .mattes: "the mattes of persons and sky"
            }
        }
    }

    /// The colour models of files.
    public enum ColorModel: String, Codable, Sendable {
        case rgb, gray, cmyk, palette, other
    }

    /// Makes facts; every argument is the property of its name.
    public init(
        format: MediaFormat, pixelWidth: Int, pixelHeight: Int, orientation: Int,
        bitsPerSample: Int, hasAlpha: Bool, colorModel: ColorModel, hasFullChroma: Bool,
        isLossy: Bool, frameCount: Int, mediaSubtypes: MediaSubtype,
        creationDate: CaptureDate?, location: Location?, metadata: PhotoMetadata? = nil
    ) {
        self.format = format
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.orientation = orientation
        self.bitsPerSample = bitsPerSample
        self.hasAlpha = hasAlpha
        self.colorModel = colorModel
        self.hasFullChroma = hasFullChroma
        self.isLossy = isLossy
        self.frameCount = frameCount
        self.mediaSubtypes = mediaSubtypes
        self.creationDate = creationDate
        self.location = location
        self.metadata = metadata
    }
}
