// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

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

/// `edithost export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy pictures out of the library.",
        discussion: """
            Without --format, --quality, --size, --profile, --metadata and --no-location a photograph \
            without edits is copied as it came; of others the files say what the library does. The \
            pixels of a JPEG are not encoded again where only its metadata is another one. \
            Nothing is overwritten: where a name is taken, the file gets -1, -2 and so on.
            """,
        examples: """
            edithost export --all --to exported
            edithost export 3f2a --format avif --size 1600x1600 --to exported
            edithost export --all --version original --with-companions --to originals
            edithost export 3f2a --metadata copyright --profile srgb --to public
            edithost export --album Summer --no-location --to public
            edithost export 3f2a --video-codec hevc --crf 24 --height 720 --to small
            """)

    @OptionGroup var assets: AssetOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The folder; it is made where there is none.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "current: with all edits; unadjusted: without any, upright; original: as imported.",
            valueName: "version"))
    var version = ExportOptions.Version.current

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
            "The colour space that the pixels are converted to; GIF is always sRGB.",
            valueName: "profile"))
    var profile = ExportedProfile.keep

    @Option(
        help: ArgumentHelp(
            "library: what the photograph's file says, with the library's date, place, rating, keywords, "
                + "title, description and label; original: what the file says, but for what an edit made "
                + "false; copyright: who made it, whose it is, and the colour profile; none: only that "
                + "profile.",
            valueName: "metadata"))
    var metadata: ExportOptions.Metadata?

    @Flag(help: "Leave out where it was taken, in EXIF, XMP and IPTC.")
    var noLocation = false

    @Flag(help: "With --version original: copy the AAE, XMP and RAW files that came with it, too.")
    var withCompanions = false

    @Option(
        help: ArgumentHelp(
            "Of Live Photos: pair: the still, and its video beside it, marked as Apple's cameras do; motion: a "
                + "Motion Photo, a JPEG with the video in the same file; still or video: one of them. Without it "
                + "both files, and the file of a Motion Photo without edits, as they are.",
            valueName: "part"))
    var live: ExportOptions.LivePhotoPart?

    @Option(
        help: ArgumentHelp(
            "Of videos: encode them as h264 or hevc; copy: as they are stored.", valueName: "codec")
    )
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
            "Of videos: how much work the encoder does for a smaller file; without it medium.",
            valueName: "preset"))
    var encoderPreset: VideoExport.Preset?

    @Option(
        help: ArgumentHelp(
            "How many at once; without it as many as there are processors.", valueName: "number"))
    var jobs: Int?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

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
        let isEncoded = crf != nil || height != nil || encoderPreset != nil
        if videoCodec == .copy, isEncoded {
            throw ValidationError(
                "--video-codec copy leaves videos as they are; leave out --crf, --height "
                    + "and --encoder-preset.")
        }
        if version == .original, isEncoded || videoCodec.map({ $0 != .copy }) ?? false {
            throw ValidationError(
                "--version original is exported byte for byte; leave out --video-codec, --crf, "
                    + "--height and --encoder-preset, or say --version unadjusted.")
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
        if let format, !format.isWritten {
            throw ValidationError(
                "\(format.displayName) pictures are not written; --format can be "
                    + MediaFormat.writtenNames.joined(separator: ", ") + ".")
        }
        let isConverted = format != nil || quality != nil || size != nil || profile != .keep
        if version == .original,
            isConverted || noLocation || metadata != nil && metadata != .original
        {
            throw ValidationError(
                "--version original is exported byte for byte; leave out --format, --quality, "
                    + "--size, --profile, --metadata and --no-location, or say --version unadjusted."
            )
        }
        if withCompanions, version != .original {
            throw ValidationError(
                "--with-companions belongs to --version original; say that, too, or leave it out.")
        }
    }

    private var options: ExportOptions {
        var options = ExportOptions()
        options.version = version
        options.format = format
        options.quality = quality
        options.size = size
        options.profile = profile.profile
        options.metadata = metadata
        options.includesLocation = !noLocation
        options.includesCompanions = withCompanions
        options.livePhotoPart = live
        if let videoCodec, videoCodec == .copy { return options }
        if videoCodec != nil || crf != nil || height != nil || encoderPreset != nil {
            options.video = VideoExport(
                codec: videoCodec == .hevc ? .hevc : .h264, quality: crf, height: height,
                preset: encoderPreset ?? .medium)
        }
        return options
    }

    func run() async throws {
        let output = general.output
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try assets.identifiers(in: library)
        output.progress.begin("exporting", of: identifiers.count)
        defer { output.progress.end() }
        let jobs = GeneralOptions.jobs(jobs, for: identifiers.count)
        let failures = try await general.withHost(jobs: jobs) { host in
            try await Interruption().run {
                try await export(identifiers, from: library, with: host, output)
            }
        }
        let status = ExitStatus(failures: failures, of: identifiers.count)
        if status != .done { throw CommandEnd(status: status) }
    }

    private func export(
        _ identifiers: [String], from library: PhotoLibrary, with host: ExtensionHost,
        _ output: Output
    ) async throws -> [any Error] {
        var failures: [any Error] = []
        try await host.export(identifiers, from: library, to: folder, options) { result in
            let identifier = result.assetIdentifier
            switch result.path {
            case .success(let path):
                let companions = JSONValue.array(result.companions.map { .string($0) })
                let paths: JSONValue =
                    withCompanions
                    ? ["id": .string(identifier), "path": .string(path), "companions": companions]
                    : ["id": .string(identifier), "path": .string(path)]
                try output.print(paths, path)
                try output.printText(result.companions)
                for warning in result.warnings { output.message("\(path): \(warning)") }
            case .failure(let error):
                try Task.checkCancellation()
                failures.append(error)
                try output.printJSON([
                    "id": .string(identifier), "path": nil, "error": JSONValue(error),
                ])
                output.failure(error, of: identifier)
            }
            output.progress.advance()
        }
        return failures
    }
}
