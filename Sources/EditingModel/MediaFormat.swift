// SPDX-License-Identifier: Apache-2.0

/// A file format, detected from the content of a file and never from its name.
public enum MediaFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg, png, tiff, webp, heic, avif, gif, jxl
    case dng, raw
    case svg, pdf, jpeg2000, bmp, psd, openexr, radiance, gzip
    case mp4, quickTime
    /// Matroska. Earlier versions also stored WebM files as this format.
    case matroska
    /// WebM: Matroska with VP8, VP9 or AV1.
    case webm
    case avi
    /// An MPEG-2 transport stream, such as AVCHD and HDV.
    case mpegts
    /// An MPEG-1 or MPEG-2 program stream, such as those of DVDs.
    case mpeg
    /// Windows Media (ASF).
    case wmv
    /// Another video format, which cannot be opened: MPEG without a container, Flash, Theora, RealMedia.
    case video
    case audio
    case unknown

    /// The number of bytes that `init(firstBytes:)` needs.
    public static let sniffLength = 4096

    /// `true` if the runner decodes files of this format.
    public var isOpened: Bool {
        switch self {
        case .jpeg, .png, .tiff, .webp, .heic, .avif, .gif, .jxl: true
        default: false
        }
    }
}
