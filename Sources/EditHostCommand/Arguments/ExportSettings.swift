// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import RunnerProtocol

/// The settings of the written files, of `export` and `apply`.
struct ExportSettings: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The names of the files: text with {name}, {date} or {date:%Y/%m}, {folder}, "
                + "{version}, {id}, and {sequence} at its end, which adds a number if a name is taken. "
                + "A slash creates folders (default: the imported name).", valueName: "template"))
    var name: String?

    @Option(help: ArgumentHelp("Convert to this format.", valueName: "format"))
    var format: MediaFormat?

    @Option(
        help: ArgumentHelp(
            "The quality of a lossy format, 1 to 100 (default: \(EncodeSettings.defaultQuality)).",
            valueName: "number"))
    var quality: Int?

    @Option(
        help: ArgumentHelp(
            "Reduce the picture to fit into this box; it is never enlarged.",
            valueName: "widthxheight"))
    var size: PixelSize?

    @Option(
        help: ArgumentHelp(
            "Sharpen pictures reduced by --size, for display on a screen.", valueName: "amount"))
    var sharpen: ExportOptions.Sharpening?

    @Option(
        help: ArgumentHelp(
            "Convert the pixels to this colour space (default: keep). GIF is always sRGB.",
            valueName: "profile"))
    var profile: ExportedProfile?

    @Option(
        help: ArgumentHelp(
            "library: the metadata of the photo's file, with the library's date, "
                + "location, rating, keywords, title, description and label; original: the "
                + "metadata of the file, except what an edit made invalid; copyright: only "
                + "creator, copyright and colour profile; none: only the colour profile.",
            valueName: "metadata"))
    var metadata: ExportOptions.Metadata?

    @Option(
        help: ArgumentHelp(
            "The modification time of written files: captured: the capture date; now: the time "
                + "at which they are written.",
            valueName: "time"))
    var mtime = ExportOptions.ModificationTime.captured

    @Flag(
        help: """
            Remove the location from the EXIF, XMP and IPTC of photos, and from the tags of videos.
            """)
    var noLocation = false

    @Flag(
        help: """
            Remove the names of persons and the regions of faces from XMP. Keywords are kept.
            """)
    var noPeople = false

    @Option(
        help: ArgumentHelp(
            "Also write a sidecar beside each file: xmp: NAME.EXT.xmp with date, location, rating, "
                + "label, keywords, title, description, creator, copyright and the other "
                + "properties of the imported sidecar, according to --metadata, --no-location and --no-people.",
            valueName: "kind"))
    var sidecar: ExportOptions.Sidecar?

    @Option(
        help: ArgumentHelp(
            "For Live Photos: pair: the still and its video as two files, linked in the same way "
                + "as by Apple's cameras; motion: a Motion Photo, a JPEG with the video in the "
                + "same file; still or video: one of them. By default, both files are exported "
                + "unchanged, and an unedited Motion Photo is exported as its single file.",
            valueName: "part"))
    var live: ExportOptions.LivePhotoPart?

    @Option(
        help: ArgumentHelp(
            "For videos: h264 or hevc re-encodes with that codec, copy keeps the stored stream.",
            valueName: "codec"))
    var videoCodec: ExportedCodec?

    @Option(
        help: ArgumentHelp(
            "For videos: re-encode with this constant rate factor, 0 (best) to 51 "
                + "(default: \(VideoSettings.defaultQuality)).",
            valueName: "number"))
    var crf: Int?

    @Option(
        help: ArgumentHelp(
            "For videos: re-encode at this height in pixels; videos are never enlarged.",
            valueName: "pixels"))
    var height: Int?

    @Option(
        help: ArgumentHelp(
            "For videos: re-encode with this preset; slower presets make smaller files "
                + "(default: \(VideoSettings.defaultPreset)).",
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
                "--video-codec copy does not re-encode; leave out --crf, --height and "
                    + "--encoder-preset.")
        }
        if let format, !format.isWritten {
            throw ValidationError(
                "\(format.displayName) files cannot be written; use --format with one of "
                    + MediaFormat.writtenNames.joined(separator: ", ") + ".")
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

    /// Rejects `--sharpen` without `--size`.
    ///
    /// - Throws: `ValidationError`.
    func requireSize() throws {
        guard sharpen != nil, size == nil else { return }
        throw ValidationError("--sharpen applies to reduced pictures only; add --size.")
    }

    /// Returns the settings of a preset, overridden by the options.
    ///
    /// - Throws: `HostError` if the settings are inconsistent.
    func options(over preset: ExportOptions = ExportOptions()) throws -> ExportOptions {
        var options = preset
        options.format = format ?? options.format
        options.quality = quality ?? options.quality
        options.size = size ?? options.size
        options.sharpening = sharpen ?? options.sharpening
        options.profile = profile?.profile ?? options.profile
        options.metadata = metadata ?? options.metadata
        if noLocation { options.includesLocation = false }
        if noPeople { options.includesPeople = false }
        options.sidecar = sidecar ?? options.sidecar
        options.livePhotoPart = live ?? options.livePhotoPart
        options.modificationTime = mtime
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
