// SPDX-License-Identifier: Apache-2.0

/// The properties of an image or a video, determined by decoding it.
public struct PhotoFacts: Codable, Hashable, Sendable {
    /// The format, detected from the content.
    public var format: MediaFormat
    /// The width of the upright image in pixels.
    public var pixelWidth: Int
    /// The height of the upright image in pixels.
    public var pixelHeight: Int
    /// The EXIF orientation of the file, 1...8; 1 if it has none.
    public var orientation: Int
    /// The bits per sample of the file's pixels: 8 or 16.
    public var bitsPerSample: Int
    /// `true` if the image has an alpha channel.
    public var hasAlpha: Bool
    /// The colour model of the file before conversion to RGB.
    public var colorModel: ColorModel
    /// `true` for a JPEG file without chroma subsampling (4:4:4); `false` for other formats.
    public var hasFullChroma: Bool
    /// `true` if the file is lossily compressed, as far as the format reveals it.
    public var isLossy: Bool
    /// The number of frames or pages in the file. Only the first is used.
    public var frameCount: Int
    /// The special kinds of photo or video.
    public var mediaSubtypes: MediaSubtype
    /// The capture date, by the usual priority of the metadata; `nil` if the file has none.
    public var creationDate: CaptureDate?
    /// The location where the photo was taken; `nil` if unknown.
    public var location: Location?
    /// The remaining metadata; `nil` if it has not been read.
    public var metadata: PhotoMetadata?

    /// The properties of a video; `nil` for an image.
    public var video: VideoFacts?
    /// The video of a Motion Photo; `nil` if there is none, or if it is not at the location that the metadata gives.
    public var embeddedVideo: EmbeddedVideo?
    /// A description of why the declared video of a Motion Photo is unusable; `nil` if none is declared or it
    /// is valid.
    public var embeddedVideoProblem: String?
    /// The index in Apple's maker note that locates the image in its Live Photo's video; `nil` if missing.
    ///
    /// The unit of the index is undocumented.
    public var livePhotoVideoIndex: Int?
    /// The auxiliary content of the file, which edited images lack; `nil` if there is none or it was not
    /// searched for.
    public var companions: [Companion]?

    /// The SHA-256 of the parts of the file that determine its pixels, in hexadecimal digits. It is the same after a
    /// program has changed only metadata. `nil` for files stored in the library, and for some formats.
    public var imageDataHash: String?

    /// The kinds of auxiliary content in an image file.
    public enum Companion: String, Codable, Sendable, CaseIterable {
        /// The gain map that makes the image a high-dynamic-range image.
        case gainMap
        /// The depth map of the scene.
        case depthData
        /// The segmentation mattes of people, hair, skin, teeth or sky.
        case mattes

        /// A description for messages.
        public var words: String {
            switch self {
            case .gainMap: "the gain map, which makes it a picture of high dynamic range"
            case .depthData: "the depth data"
            case .mattes: "the mattes of persons and sky"
            }
        }
    }

    /// The colour models of image files.
    public enum ColorModel: String, Codable, Sendable {
        case rgb, gray, cmyk, palette, other
    }

    /// Creates the facts of an image or a video.
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
