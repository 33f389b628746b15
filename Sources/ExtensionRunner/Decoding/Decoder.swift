// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport
import Synchronization
import Vips

/// Opens an encoded picture, any number of times, from bytes that stay where they are.
///
/// The loader is chosen from the content and named explicitly, so that no other parser of libvips
/// ever sees a byte.
struct Decoder {
    /// The file.
    let bytes: Bytes
    /// Its format by content.
    let format: MediaFormat
    /// What is known of the file from opening it.
    private let known = Known()

    /// - Throws: `RunnerFailure`: `badInput` for nothing at all, `blockedFormat`.
    init(bytes: Bytes) throws(RunnerFailure) {
        self.bytes = bytes
        format = MediaFormat(firstBytes: bytes.memory.prefix(MediaFormat.sniffLength))
        if Self.loaders[format] == nil { throw Self.notOpened(format) }
    }

    /// Maps a file and looks at what it is.
    init(file: OpenFile) throws(RunnerFailure) {
        guard let length = file.length, length > 0 else {
            throw RunnerFailure(code: .badInput, message: "the file is empty")
        }
        guard let bytes = MappedFiles.bytes(of: file, length: length) else {
            throw RunnerFailure(code: .badInput, message: "the file cannot be mapped into memory")
        }
        try self.init(bytes: bytes)
    }

    private static let loaders: [MediaFormat: String] = [
        .jpeg: "jpegload_source", .png: "pngload_source", .tiff: "tiffload_source",
        .webp: "webpload_source", .heic: "heifload_source", .avif: "heifload_source",
        .gif: "gifload_source", .jxl: "jxlload_source",
    ]

    /// The formats that this libvips can open.
    static var formats: [MediaFormat] {
        MediaFormat.allCases.filter { loaders[$0].map(VipsLibrary.hasOperation) ?? false }
    }

    /// The operations of libvips that open them.
    static var operations: [String] { Set(formats.compactMap { loaders[$0] }).sorted() }

    private static func notOpened(_ format: MediaFormat) -> RunnerFailure {
        let message =
            switch format {
            case .unknown: "not a picture in a known format"
            case .mp4, .quickTime, .matroska, .webm, .avi, .video:
                "\(format.displayName) videos cannot be opened as pictures"
            case .audio: "sound files are not supported"
            case .gzip: "compressed files are not supported"
            default: "\(format.displayName) files are not supported"
            }
        return RunnerFailure(code: .blockedFormat, message: message)
    }

    // MARK: - Opening

    /// The header: size and metadata, for looking at. Its pixels belong to whoever asks ``sequential()``.
    func header() throws(RunnerFailure) -> Image {
        if let header = known.header { return header }
        let header = try opened()
        known.keep(header)
        return header
    }

    /// The picture as it lies in the file, to be pulled once, from top to bottom.
    func sequential() throws(RunnerFailure) -> Image {
        let header = try header()
        if let image = known.take() { return image }
        return try reload(header, [:])
    }

    /// Large pictures are not held in memory down to where a crop begins, nor is what has been read of their files.
    private func inSteps(_ image: Image) throws(RunnerFailure) -> Image {
        guard image.byteCount > 1 << 28 else { return image }
        return try wrapping("read the picture", code: .badInput) {
            try image.passingOver(rows: 64) { [bytes] in bytes.forgetPages() }
        }
    }

    private func opened() throws(RunnerFailure) -> Image {
        if format == .tiff, let refusal = TIFFLayout(bytes)?.refusal { throw refusal }
        let image = try load([:])
        try PictureLimits.check(
            width: image.width, height: image.height, fileLength: bytes.count)
        if format == .jpeg, let completed = JPEGEnding.completed(bytes) {
            known.repaired = completed
            return try load([:])
        }
        if format == .jxl, image.bands > 4 {
            // libjxl gives libvips no more than four of them.
            throw RunnerFailure(
                code: .blockedFormat,
                message: "JPEG XL pictures with \(image.bands) channels are not supported; "
                    + "save it with only colours and alpha")
        }
        // HEIF files number their pictures in any order and say which is the one to show.
        guard let primary = image.integer("heif-primary"), primary > 0 else { return image }
        return try load(["page": .integer(primary)])
    }

    /// The picture held upright, at full size.
    ///
    /// - Parameter access: How it will be read. A picture that must be turned is decoded into
    ///   memory when first read, whatever is said here.
    func upright(access: PixelAccess) throws(RunnerFailure) -> Image {
        let header = try header()
        let isRandom = access == .random || needsRandomAccess(header)
        guard isRandom else { return try turned(try inSteps(try sequential())) }
        return try turned(try reload(header, ["access": "random"]))
    }

    /// The picture held upright, decoded as small as the format allows above twice the size that
    /// is wanted.
    ///
    /// - Parameter longerSide: The size wanted, in pixels.
    func reducedUpright(longerSide: Int) throws(RunnerFailure) -> Image {
        let header = try header()
        let factor = max(header.width, header.height) / max(1, longerSide * 2)
        // Random: it may be read more than once, and is small for the formats that can shrink.
        return try turned(try reduced(header, by: factor, access: .random))
    }

    /// The picture as it lies in the file, decoded as small as the format allows, but no smaller than this
    /// part of its size: 1/2, 1/4 or 1/8 of JPEG, any of WebP.
    ///
    /// - Parameter header: What ``header()`` gave.
    func reduced(
        _ header: Image, by factor: Int, access: PixelAccess
    ) throws(RunnerFailure) -> Image {
        // A side shorter than the factor would become nothing, over which libvips aborts.
        let factor = min(factor, min(header.width, header.height))
        var options: [String: OperationValue] = access == .random ? ["access": "random"] : [:]
        switch format {
        case .jpeg: options["shrink"] = [8, 4, 2].first { $0 <= factor }.map { .integer($0) }
        case .webp where factor >= 2: options["scale"] = .double(1 / Double(factor))
        default: break
        }
        return options.isEmpty ? try sequential() : try reload(header, options)
    }

    /// The orientation that is still to be applied, 1...8: 1 where libheif and libjxl have turned
    /// the picture already.
    func pendingOrientation(_ image: Image) -> Int {
        switch format {
        case .heic, .avif, .jxl: 1
        default: image.integer("orientation").flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
        }
    }

    private func needsRandomAccess(_ image: Image) -> Bool { pendingOrientation(image) > 2 }

    func reload(
        _ header: Image, _ options: [String: OperationValue]
    ) throws(RunnerFailure) -> Image {
        var options = options
        if let primary = header.integer("heif-primary"), primary > 0 {
            options["page"] = .integer(primary)
        }
        return try load(options)
    }

    private func load(_ options: [String: OperationValue]) throws(RunnerFailure) -> Image {
        guard bytes.count > 0, let loader = Self.loaders[format] else {
            throw RunnerFailure(code: .badInput, message: "the file is empty")
        }
        var all: [String: OperationValue] = ["access": "sequential", "fail_on": "error"]
        all.merge(options) { _, new in new }
        do {
            do {
                return try open(known.repaired ?? bytes, loader, all)
            } catch  where known.repaired == nil && HEIFReferences.areRefused("\(error)") {
                guard let hidden = HEIFReferences.hidden(in: bytes) else { throw error }
                let image = try open(hidden, loader, all)
                known.repaired = hidden
                return image
            }
        } catch {
            throw RunnerFailure(
                code: .badInput,
                message: "the \(format.displayName) picture cannot be opened: "
                    + brief("\(error)"))
        }
    }

    private func open(
        _ bytes: Bytes, _ loader: String, _ options: [String: OperationValue]
    ) throws -> Image {
        // What is left there of another file is not said of this one.
        VipsError.clear()
        let source = try ImageSource(memory: bytes.memory, owner: bytes)
        let image = try Image(source: source, loader: loader, options: options)
        switch format {
        case .heic, .avif: return try withColors(try completed(image))
        case .png: return try withColors(try oriented(image))
        case .tiff:
            return try withColors(try TIFFLayout(bytes)?.arranged(image) ?? image)
        case .gif: return try GIFFrame.first(in: bytes)?.transparentAround(image) ?? image
        default: return try withColors(image)
        }
    }

    /// A PNG may say its orientation where libvips does not read it.
    private func oriented(_ image: Image) throws -> Image {
        guard !image.hasField("exif-data") else { return image }
        let orientation = known.orientation.value {
            PNGBlocks(self.bytes).exif.flatMap { TIFFReader(exif: $0) }
                .flatMap(ExifFacts.init)?.orientation
        }
        guard let orientation, orientation > 1 else { return image }
        return try image.copying { $0.set("orientation", to: orientation) }
    }

    /// Whether it is a JPEG file without its end marker: what is decoded is a copy that has one.
    var lacksEnd: Bool { format == .jpeg && known.repaired != nil }

    /// libvips 8.14 frees what the metadata of a HEIF points to together with its loader, which
    /// a copy of the pixels in memory outlives.
    private func completed(_ image: Image) throws -> Image {
        let fields = [ICCProfile.field, "exif-data", "xmp-data"].compactMap { name in
            image.blob(name).map { (name, $0) }
        }
        return try image.copying { metadata in
            for (name, bytes) in fields { metadata.set(name, to: bytes) }
        }
    }

    /// The picture turned as its orientation says.
    func turned(_ image: Image) throws(RunnerFailure) -> Image {
        try wrapping("turn the picture upright", code: .badInput) {
            guard pendingOrientation(image) > 1 else {
                return try image.copying { $0.remove("orientation") }
            }
            return try image.applying("autorot")
        }
    }
}

/// What is known of a file from opening it.
private final class Known: Sendable {
    private struct State {
        var repaired: Bytes?
        var header: Image?
        /// Somebody has the header to pull its pixels.
        var isTaken = false
    }

    private let state = Mutex(State())
    /// What a PNG says of its orientation beyond what its loader reads.
    let orientation = Once<Int?>()

    /// A copy of the file, changed so that a loader opens it: what is opened once a loader has refused the
    /// file.
    var repaired: Bytes? {
        get { state.withLock { $0.repaired } }
        set { state.withLock { $0.repaired = newValue } }
    }

    var header: Image? { state.withLock { $0.header } }

    func keep(_ header: Image) {
        state.withLock { if $0.header == nil { $0.header = header } }
    }

    /// The header, for the first who wants to pull its pixels.
    func take() -> Image? {
        state.withLock { state in
            defer { state.isTaken = true }
            return state.isTaken ? nil : state.header
        }
    }
}
