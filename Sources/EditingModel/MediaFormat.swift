// SPDX-License-Identifier: Apache-2.0

/// A file format, told from the first bytes of a file and never from its name.
public enum MediaFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg, png, tiff, webp, heic, avif, gif, jxl
    case dng, raw
    case svg, pdf, jpeg2000, bmp, psd, openexr, radiance, gzip
    case mp4, quickTime
    /// Matroska; in libraries of earlier versions WebM, too.
    case matroska
    /// WebM: Matroska with VP8, VP9 or AV1.
    case webm
    case avi
    /// A video of another kind: MPEG, Windows Media, Flash, Theora, RealMedia.
    case video
    case audio
    case unknown

    /// How many of a file's first bytes `init(firstBytes:)` wants to see.
    public static let sniffLength = 4096
}
