// SPDX-License-Identifier: Apache-2.0

/// PhotoKit's name of ``MediaSubtype``.
public typealias AssetMediaSubtype = MediaSubtype

/// Particular kinds of photographs and videos; an asset may be of several.
///
/// The raw values are those of PhotoKit's `PHAssetMediaSubtype`, but for `animated`,
/// which is this project's own.
public struct MediaSubtype: OptionSet, Codable, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A panorama.
    public static let photoPanorama = MediaSubtype(rawValue: 1 << 0)
    /// A high-dynamic-range photograph.
    public static let photoHDR = MediaSubtype(rawValue: 1 << 1)
    /// A screenshot.
    public static let photoScreenshot = MediaSubtype(rawValue: 1 << 2)
    /// A Live Photo.
    public static let photoLive = MediaSubtype(rawValue: 1 << 3)
    /// A photograph with a depth effect.
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
    /// A file of several frames or pages, of which only the first is shown.
    public static let animated = MediaSubtype(rawValue: 1 << 30)

    /// The names of the members, in the order of their bits, for JSON and the command line.
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
