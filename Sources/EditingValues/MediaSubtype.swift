// SPDX-License-Identifier: Apache-2.0

/// The PhotoKit name of ``MediaSubtype``.
public typealias AssetMediaSubtype = MediaSubtype

/// The special kinds of photos and videos; an asset may have several.
///
/// The raw values are those of PhotoKit's `PHAssetMediaSubtype`, except for `animated`, which is specific to
/// this project.
public struct MediaSubtype: OptionSet, Codable, Hashable, Sendable {
    /// The bit mask.
    public let rawValue: Int

    /// Creates a set from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A panorama.
    public static let photoPanorama = MediaSubtype(rawValue: 1 << 0)
    /// A high-dynamic-range photo.
    public static let photoHDR = MediaSubtype(rawValue: 1 << 1)
    /// A screenshot.
    public static let photoScreenshot = MediaSubtype(rawValue: 1 << 2)
    /// A Live Photo.
    public static let photoLive = MediaSubtype(rawValue: 1 << 3)
    /// A photo with a depth effect.
    public static let photoDepthEffect = MediaSubtype(rawValue: 1 << 4)
    /// A streamed video.
    public static let videoStreamed = MediaSubtype(rawValue: 1 << 16)
    /// A video with a high frame rate.
    public static let videoHighFrameRate = MediaSubtype(rawValue: 1 << 17)
    /// A time-lapse video.
    public static let videoTimelapse = MediaSubtype(rawValue: 1 << 18)
    /// A recording of a screen.
    public static let videoScreenRecording = MediaSubtype(rawValue: 1 << 19)
    /// A cinematic video, whose focus can be changed.
    public static let videoCinematic = MediaSubtype(rawValue: 1 << 21)
    /// A file with several frames or pages, of which only the first is shown.
    public static let animated = MediaSubtype(rawValue: 1 << 30)

    /// The names of the members in the order of their bits, for JSON and the command line.
    public var names: [String] {
        Self.allNames.filter { contains($0.0) }.map(\.1)
    }

    private static let allNames: [(MediaSubtype, String)] = [
        (.photoPanorama, "panorama"), (.photoHDR, "hdr"), (.photoScreenshot, "screenshot"),
        (.photoLive, "live"), (.photoDepthEffect, "depthEffect"),
        (.videoStreamed, "streamed"), (.videoHighFrameRate, "highFrameRate"),
        (.videoTimelapse, "timelapse"), (.videoScreenRecording, "screenRecording"),
        (.videoCinematic, "cinematic"), (.animated, "animated"),
    ]
}
