// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel

/// The colour space of exported pixels.
enum ExportedProfile: String, ExpressibleByArgument, CaseIterable {
    case keep
    case sRGB = "srgb"
    case displayP3 = "display-p3"
    case adobeRGB = "adobe-rgb"
    case proPhotoRGB = "prophoto-rgb"

    /// As the host calls it.
    var profile: ColorProfile {
        switch self {
        case .keep: .original
        case .sRGB: .sRGB
        case .displayP3: .displayP3
        case .adobeRGB: .adobeRGB
        case .proPhotoRGB: .proPhotoRGB
        }
    }
}

/// What exported videos are encoded by.
enum ExportedCodec: String, ExpressibleByArgument, CaseIterable {
    case copy, h264, hevc
}

/// How files are exported: by a preset, and by options, which come before it.
struct ExportSettings: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Export as this file of JSON says, or the one of this name in the folder export-presets beside "
                + "config.json; options come before it.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var preset: String?

    @Option(
        help: ArgumentHelp(
            "How the files are named: text with {name}, {date} or {date:%Y/%m}, {version}, {id}, and {sequence} at its end, "
                + "which is a number where a name is taken. A slash makes folders. Without it the "
                + "imported name.", valueName: "template"))
    var name: String?

    @Option(help: ArgumentHelp("The format to convert to.", valueName: "format"))
    var format: MediaFormat?

    @Option(
        help: ArgumentHelp(
            "The quality of a format with loss, 1 to 100; without it 92.", valueName: "number"))
    var quality: Int?

    @Option(
        help: ArgumentHelp(
            "The box that the picture has to fit into; it is never enlarged.",
            valueName: "widthxheight"))
    var size: PixelSize?

    @Option(
        help: ArgumentHelp(
            "Sharpen pictures that --size has made smaller, for a screen.", valueName: "amount"))
    var sharpen: ExportOptions.Sharpening?

    @Option(
        help: ArgumentHelp(
            "The colour space that the pixels are converted to; GIF is always sRGB. Without it keep.",
            valueName: "profile"))
    var profile: ExportedProfile?

    @Option(
        help: ArgumentHelp(
            "library: what the photograph's file says, with the library's date, place, rating, keywords, "
                + "title, description and label; original: what the file says, but for what an edit made "
                + "false; copyright: who made it, whose it is, and the colour profile; none: only that "
                + "profile.",
            valueName: "metadata"))
    var metadata: ExportOptions.Metadata?

    @Flag(help: "Leave out where it was taken: EXIF, XMP and IPTC of photographs, tags of videos.")
    var noLocation = false

    @Option(
        help: ArgumentHelp(
            "Of Live Photos: pair: the still, and its video beside it, marked as Apple's cameras do; motion: a "
                + "Motion Photo, a JPEG with the video in the same file; still or video: one of them. Without it "
                + "both files, and the file of a Motion Photo without edits, as they are.",
            valueName: "part"))
    var live: ExportOptions.LivePhotoPart?

    @Option(
        help: ArgumentHelp(
            "Of videos: h264 or hevc converts them to that codec, copy leaves them as they are stored.",
            valueName: "codec"))
    var videoCodec: ExportedCodec?

    @Option(
        help: ArgumentHelp(
            "Of videos: encode them with this constant rate factor, 0 (best) to 51; without it 18.",
            valueName: "number"))
    var crf: Int?

    @Option(
        help: ArgumentHelp(
            "Of videos: reduce them to this height, in pixels; none is enlarged.",
            valueName: "pixels"))
    var height: Int?

    @Option(
        help: ArgumentHelp(
            "Of videos: a slower preset takes longer and makes smaller files; without it medium.",
            valueName: "preset"))
    var encoderPreset: VideoExport.Preset?

    func validate() throws {
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality must be from 1 to 100.")
        }
        if let crf, !(0...51).contains(crf) {
            throw ValidationError("--crf must be from 0 to 51.")
        }
        if let height, !(16...16384).contains(height) {
            throw ValidationError("--height must be from 16 to 16384.")
        }
        if videoCodec == .copy, isVideoEncoded {
            throw ValidationError(
                "--video-codec copy leaves videos as they are; leave out --crf, --height "
                    + "and --encoder-preset.")
        }
        if let format, !format.isWritten {
            throw ValidationError(
                "\(format.displayName) pictures are not written; --format can be "
                    + MediaFormat.writtenNames.joined(separator: ", ") + ".")
        }
        if sharpen != nil, size == nil, preset == nil {
            throw ValidationError(
                "--sharpen is for pictures that become smaller; say --size, too.")
        }
        if let name {
            do {
                _ = try ExportNameTemplate(name)
            } catch {
                throw ValidationError("\(error).")
            }
        }
    }

    private var isVideoEncoded: Bool { crf != nil || height != nil || encoderPreset != nil }

    /// What the preset and the options say together.
    ///
    /// - Throws: `HostError` where the preset cannot be read, or they do not go together.
    func options(
        _ version: ExportOptions.Version, _ configuration: HostConfiguration
    ) throws -> ExportOptions {
        var options =
            try preset.map { try ExportPreset(named: $0, configuration).options } ?? ExportOptions()
        options.version = version
        options.format = format ?? options.format
        options.quality = quality ?? options.quality
        options.size = size ?? options.size
        options.sharpening = sharpen ?? options.sharpening
        options.profile = profile?.profile ?? options.profile
        options.metadata = metadata ?? options.metadata
        if noLocation { options.includesLocation = false }
        options.livePhotoPart = live ?? options.livePhotoPart
        options.name = try name.map { try ExportNameTemplate($0) } ?? options.name
        if videoCodec == .copy {
            options.video = nil
        } else if videoCodec != nil || isVideoEncoded {
            var video = options.video ?? VideoExport()
            if let videoCodec { video.codec = videoCodec == .hevc ? .hevc : .h264 }
            video.quality = crf ?? video.quality
            video.height = height ?? video.height
            video.preset = encoderPreset ?? video.preset
            options.video = video
        }
        try options.validate()
        return options
    }
}
