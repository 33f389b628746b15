// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import JSONOutput
import Library

/// The command `edithost image`.
struct ImageCommand: AssetCommand {
    /// The command has options for the written files, so filters of the same names have other names.
    enum Names: FilterNames {
        static let taken: Set = ["format"]
    }

    static let configuration = CommandConfiguration(
        commandName: "image",
        abstract: "Render pictures of photos for viewing, at any size.",
        discussion: """
            The pictures are upright, have no metadata, are in sRGB if no side exceeds 2048 pixels, and are never \
            enlarged. Small ones are cached in the library. --output replaces an existing file; \
            --to never overwrites files. Use export for files with metadata.
            """,
        examples: """
            edithost image 3f2a --size 1600x1600 --output picture.jpg
            edithost image 3f2a --size 400x300 --crop 0.25,0.25,0.5,0.5 -o part.png
            edithost image --all --size 256x256 --to thumbnails
            edithost image --album Summer --contact-sheet summer.pdf
            edithost image --all --contact-sheet all.html --caption name,date,id
            edithost image 3f2a --format png --output -  # writes to standard output
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: AssetFilterOptions<Names>
    @OptionGroup(title: "Order") var order: OrderOptions

    @Option(
        help: ArgumentHelp(
            "The box of the picture (default: the size of the version).",
            valueName: "widthxheight"))
    var size: PixelSize?

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp(
            "For one photo: the file to write; its extension selects the format. - writes to "
                + "standard output, and needs --format.",
            valueName: "file"), completion: .file())
    var file: OutputFile?

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The output folder; created if it does not exist.",
            valueName: "folder"), completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "Write a labelled grid of the pictures, in boxes of --size (default: 256x256). The "
                + "extension selects a PDF file (.pdf), one JPEG file per page (.jpg), a page "
                + "for browsers (.html) or one grid (.svg). An existing file is replaced, but "
                + "not by one of several pages. - writes SVG to standard output.",
            valueName: "file"),
        completion: .file(extensions: ["html", "jpeg", "jpg", "pdf", "svg"]))
    var contactSheet: OutputFile?

    @Option(
        help: ArgumentHelp(
            "With --contact-sheet: the lines of the captions, separated by commas (default: "
                + "name).",
            valueName: "lines"))
    var caption: CaptionArgument?

    @Option(
        help: ArgumentHelp(
            "fit: fit the picture into the box; fill: cover the box. The picture is not cropped.",
            valueName: "mode"))
    var mode = BoxMode.fit

    @Option(
        help: ArgumentHelp(
            "exact: resize to this size; fast: allow up to twice the size; none: do not resize.",
            valueName: "mode"))
    var resize = ResizeArgument.exact

    @Option(
        help: ArgumentHelp(
            "Only this part, as fractions of the picture's width and height from the top left "
                + "corner.", valueName: "x,y,width,height"))
    var crop: NormalizedRect?

    @Option(
        help: ArgumentHelp(
            "current: with all edits; unadjusted, original: without edits.", valueName: "version"))
    var version = ExportOptions.Version.current

    @Option(
        help: ArgumentHelp(
            "With --to or --output -: the format (default with --to: JPEG, or WebP for pictures "
                + "with alpha).",
            valueName: "format"))
    var format: MediaFormat?

    @Option(
        help: ArgumentHelp("The quality of a lossy format, 1 to 100.", valueName: "number"))
    var quality: Int?

    @OptionGroup var parallel: JobsOption

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        try assets.validate()
        guard [file != nil, folder != nil, contactSheet != nil].count(where: \.self) == 1 else {
            throw ValidationError("Give exactly one of --output, --to and --contact-sheet.")
        }
        if let quality, !(1...100).contains(quality) {
            throw ValidationError("--quality must be from 1 to 100.")
        }
        if file != nil, named.ids.count != 1 {
            throw ValidationError("--output is for one photo; use --to for several.")
        }
        try validateFormat()
        try (file ?? contactSheet)?.validate(general)
        try validateContactSheet()
        if quality != nil, let format = format ?? file?.format, !format.hasQuality {
            throw ValidationError(
                "\(format.displayName) is lossless and has no quality setting; leave out "
                    + "--quality."
            )
        }
        if crop != nil, resize != .exact {
            throw ValidationError("--crop needs --resize exact.")
        }
    }

    private func validateContactSheet() throws {
        guard let contactSheet else {
            if caption != nil { throw ValidationError("--caption needs --contact-sheet.") }
            return
        }
        if contactSheet.contactSheetFormat == nil {
            throw ValidationError(
                "A contact sheet is a PDF, JPEG, HTML or SVG file; give it a name that ends in "
                    + ".pdf, .jpg, .html or .svg.")
        }
        if resize != .exact || mode != .fit {
            throw ValidationError(
                "The pictures of a contact sheet always fit into their boxes; leave out "
                    + "--resize and --mode."
            )
        }
    }

    private func validateFormat() throws {
        let isStandardOutput = file?.isStandardOutput == true
        if format != nil, folder == nil, !isStandardOutput {
            throw ValidationError(
                "--format needs --to or --output -; with --output, the extension of the "
                    + "file selects the format.")
        }
        if format == nil, isStandardOutput {
            throw ValidationError("--output - needs --format.")
        }
        try format?.validateWritten()
        if let file, !isStandardOutput, file.format == nil {
            throw ValidationError(
                "The filename extension of \(file.path) is not that of a picture; use "
                    + MediaFormat.writtenFilenameExtensions.alternatives + ".")
        }
    }

    private var options: ImageFileOptions {
        var options = ImageFileOptions()
        options.size = size
        options.contentMode = mode.contentMode
        options.request.resizeMode = resize.mode
        options.request.normalizedCropRect = crop ?? .zero
        options.request.version = version.requested
        options.request.deliveryMode = .highQualityFormat
        options.format = format ?? file?.format
        options.quality = quality
        return options
    }

    func run() async throws {
        try (file ?? contactSheet)?.requireNoTerminal()
        let batch = BatchRun(general, "rendering", kept: "written")
        let library = try libraryOptions.open(for: .reading)
        let identifiers = try await assets.identifiers(in: library)
        if file != nil, identifiers.count != 1 {
            throw ValidationError("--output is for one photo; use --to for several.")
        }
        try await batch.run(on: identifiers.count, jobs: parallel.jobs) { host in
            try await render(identifiers, with: ImageManager(host: host, library: library), batch)
        }
        try batch.end()
    }

    private func render(
        _ identifiers: [String], with manager: ImageManager, _ batch: BatchRun
    ) async throws {
        if let file, let identifier = identifiers.first {
            try await render(identifier, to: file, with: manager, batch)
        } else if let folder {
            try await manager.writeImages(of: identifiers, to: folder, options) { asset, result in
                switch result {
                case .success(let (path, size)): try finish(asset, path, size, batch)
                case .failure(let error): try fail(asset, error, batch)
                }
            }
        } else if let contactSheet {
            try await renderContactSheet(identifiers, to: contactSheet, with: manager, batch)
        }
    }

    private func render(
        _ identifier: String, to file: OutputFile, with manager: ImageManager, _ batch: BatchRun
    ) async throws {
        guard file.isStandardOutput else {
            let size = try await manager.writeImage(of: identifier, toFile: file.path, options)
            return try finish(identifier, file.path, size, batch)
        }
        try StandardStream.output.print(try await manager.image(of: identifier, options).data)
        batch.finish(identifier)
    }

    private func renderContactSheet(
        _ identifiers: [String], to file: OutputFile, with manager: ImageManager, _ batch: BatchRun
    ) async throws {
        let captions = (caption ?? .standard).makers(for: identifiers)
        let format = file.contactSheetFormat ?? .svg
        let report: (String, Result<PixelSize, any Error>) throws -> Void = { asset, result in
            switch result {
            // The pages of JPEG are kept after a cancellation.
            case .success: batch.finish(asset, isKept: format == .jpeg)
            case .failure(let error): try fail(asset, error, batch)
            }
        }
        guard !file.isStandardOutput else {
            return try await manager.drawContactSheet(
                of: identifiers, options, format, captions: captions,
                write: { try StandardStream.output.print($0) }, report: report)
        }
        try await manager.writeContactSheet(
            of: identifiers, toFile: file.path, options, format, captions: captions,
            report: report,
            written: { try batch.output.print(["path": $0, "count": $1], $0) })
    }

    private func finish(
        _ asset: String, _ path: String, _ size: PixelSize, _ batch: BatchRun
    ) throws {
        try batch.output.print(
            ["id": asset, "path": path, "pixelWidth": size.width, "pixelHeight": size.height],
            "\(path)  \(size)")
        batch.finish(asset)
    }

    private func fail(_ asset: String, _ error: any Error, _ batch: BatchRun) throws {
        try Task.checkCancellation()
        try batch.fail(
            asset, error, ["id": asset, "path": nil, "error": ExitStatus.words(for: error)])
    }
}

extension ExportOptions.Version {
    /// The equivalent version of image requests.
    fileprivate var requested: ImageRequestOptionsVersion {
        switch self {
        case .current: .current
        case .unadjusted: .unadjusted
        case .original: .original
        }
    }
}

extension NormalizedRect: ExpressibleByArgument {
    /// Parses `X,Y,WIDTH,HEIGHT`, as fractions of the image.
    public init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3]
        else { return nil }
        self.init(x: x, y: y, width: width, height: height)
        guard isInUnitSquare else { return nil }
    }
}
