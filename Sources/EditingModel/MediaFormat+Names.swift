// SPDX-License-Identifier: Apache-2.0

extension MediaFormat {
    /// The display name of the format.
    public var displayName: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .tiff: "TIFF"
        case .webp: "WebP"
        case .heic: "HEIC"
        case .avif: "AVIF"
        case .gif: "GIF"
        case .jxl: "JPEG XL"
        case .dng: "DNG"
        case .raw: "camera RAW"
        case .svg: "SVG"
        case .pdf: "PDF"
        case .jpeg2000: "JPEG 2000"
        case .bmp: "BMP"
        case .psd: "Photoshop"
        case .openexr: "OpenEXR"
        case .radiance: "Radiance HDR"
        case .gzip: "gzip"
        case .mp4: "MP4"
        case .quickTime: "QuickTime"
        case .matroska: "Matroska"
        case .webm: "WebM"
        case .avi: "AVI"
        case .mpegts: "MPEG transport stream"
        case .mpeg: "MPEG program stream"
        case .wmv: "Windows Media"
        case .video: "other video"
        case .audio: "audio"
        case .unknown: "unknown"
        }
    }

    /// The MIME type, such as `image/jpeg`.
    public var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .tiff: "image/tiff"
        case .webp: "image/webp"
        case .heic: "image/heic"
        case .avif: "image/avif"
        case .gif: "image/gif"
        case .jxl: "image/jxl"
        case .dng: "image/x-adobe-dng"
        case .mp4: "video/mp4"
        case .quickTime: "video/quicktime"
        case .matroska: "video/x-matroska"
        case .webm: "video/webm"
        case .avi: "video/x-msvideo"
        case .mpegts: "video/mp2t"
        case .mpeg: "video/mpeg"
        case .wmv: "video/x-ms-wmv"
        default: "application/octet-stream"
        }
    }

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
