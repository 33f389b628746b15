// SPDX-License-Identifier: Apache-2.0

extension MediaFormat {
    /// The usual file name extension, without a dot.
    public var filenameExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .jpeg2000: "jp2"
        case .quickTime: "mov"
        case .matroska: "mkv"
        case .mpegts: "mts"
        case .mpeg: "mpg"
        case .openexr: "exr"
        case .radiance: "hdr"
        case .gzip: "gz"
        case .video, .audio, .unknown, .raw: "bin"
        default: rawValue
        }
    }

    /// The uniform type identifier, such as `public.jpeg`. All proprietary RAW formats share the generic one.
    public var uniformTypeIdentifier: String {
        switch self {
        case .jpeg, .png, .tiff, .heic, .avif, .radiance: "public." + rawValue
        case .webp: "org.webmproject.webp"
        case .gif: "com.compuserve.gif"
        case .jxl: "public.jpeg-xl"
        case .dng: "com.adobe.raw-image"
        case .raw: "public.camera-raw-image"
        case .svg: "public.svg-image"
        case .pdf: "com.adobe.pdf"
        case .jpeg2000: "public.jpeg-2000"
        case .bmp: "com.microsoft.bmp"
        case .psd: "com.adobe.photoshop-image"
        case .openexr: "com.ilm.openexr-image"
        case .gzip: "org.gnu.gnu-zip-archive"
        case .mp4: "public.mpeg-4"
        case .quickTime: "com.apple.quicktime-movie"
        case .matroska: "org.matroska.mkv"
        case .webm: "org.webmproject.webm"
        case .avi: "public.avi"
        case .mpegts: "public.mpeg-2-transport-stream"
        case .mpeg: "public.mpeg"
        case .wmv: "com.microsoft.windows-media-wmv"
        case .video: "public.movie"
        case .audio: "public.audio"
        case .unknown: "public.data"
        }
    }

    /// The media type of files in this format.
    public var mediaType: MediaType {
        switch self {
        case .mp4, .quickTime, .matroska, .webm, .avi, .mpegts, .mpeg, .wmv, .video: .video
        case .audio: .audio
        case .pdf, .gzip, .unknown: .unknown
        default: .image
        }
    }

    /// `true` if the format determines the media type, even if that type is unknown.
    ///
    /// The type of a compressed file (gzip) remains undetermined.
    public var determinesMediaType: Bool { self != .unknown && self != .gzip }

    /// `true` if images can be encoded in this format.
    public var isWritten: Bool { isOpened }

    /// The container format of re-encoded videos.
    ///
    /// MOV, MP4 and Matroska are kept. WebM becomes Matroska, and every other format becomes MOV.
    public var writtenVideo: MediaFormat {
        switch self {
        case .quickTime, .mp4, .matroska: self
        case .webm: .matroska
        default: .quickTime
        }
    }

    /// The names of the formats in which images can be encoded.
    public static var writtenNames: [String] { allCases.filter(\.isWritten).map(\.rawValue) }

    /// The filename extensions, with their dots, of the formats in which images can be encoded.
    package static var writtenFilenameExtensions: [String] {
        allCases.filter(\.isWritten).map { "." + $0.filenameExtension }
    }

    /// Creates a format from a user-typed name such as `jpg`, `jpeg`, `tif` or `png`; `nil` if it is unknown.
    public init?(name: String) {
        let lowered = name.lowercased()
        let match = Self.allCases.first {
            $0.rawValue == lowered || $0.filenameExtension == lowered
        }
        guard let match = lowered == "tiff" ? .tiff : match, match != .unknown else { return nil }
        self = match
    }
}
