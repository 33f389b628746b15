// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import Synchronization
import Vips

/// Opens an encoded picture any number of times, from bytes that must not move.
///
/// The loader is chosen by the content of the file and named explicitly. No other parser of libvips gets access to
/// the bytes.
struct Decoder {
    /// The bytes of the file.
    let bytes: Bytes
    /// The format, detected from the content.
    let format: MediaFormat
    /// The cached results of opening the file.
    private let cache = DecoderCache()

    /// - Throws: `RunnerFailure`: `blockedFormat` for an unsupported format.
    init(bytes: Bytes) throws(RunnerFailure) {
        self.bytes = bytes
        format = MediaFormat(firstBytes: bytes.memory.prefix(MediaFormat.sniffLength))
        if Self.loaders[format] == nil { throw Self.notOpened(format) }
    }

    /// Maps a file and detects its format.
    ///
    /// - Throws: `RunnerFailure`: `badInput` if it is empty or cannot be mapped, `blockedFormat` for an unsupported
    ///   format.
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

    /// The formats that the installed libvips can open.
    static var formats: [MediaFormat] {
        MediaFormat.allCases.filter { loaders[$0].map(VipsLibrary.hasOperation) ?? false }
    }

    /// The libvips operations that open these formats.
    static var operations: [String] { Set(formats.compactMap { loaders[$0] }).sorted() }

    private static func notOpened(_ format: MediaFormat) -> RunnerFailure {
        let message =
            switch format {
            case .unknown: "not a picture in a known format"
            case _ where format.mediaType == .video:
                "\(format.displayName) videos cannot be opened as pictures"
            case .audio: "sound files are not supported"
            case .gzip: "compressed files are not supported"
            default: "\(format.displayName) files are not supported"
            }
        return RunnerFailure(code: .blockedFormat, message: message)
    }

    // MARK: - Opening

    /// Returns the header with size and metadata. Its pixels are reserved for the first call of ``sequential()``.
    func header() throws(RunnerFailure) -> Image {
        if let header = cache.header { return header }
        let header = try opened()
        cache.keep(header)
        return header
    }

    /// Returns the picture as stored in the file, with sequential access.
    func sequential() throws(RunnerFailure) -> Image {
        let header = try header()
        if let image = cache.take() { return image }
        return try reload(header, [:])
    }

    /// Limits the memory for large pictures: neither the rows above a crop nor the pages read from the file are kept.
    private func inSteps(_ image: Image) throws(RunnerFailure) -> Image {
        guard image.byteCount > 1 << 28 else { return image }
        return try wrapping("read the picture", code: .badInput) {
            try image.skippingRows(inStepsOf: 64) { [bytes] in bytes.releasePages() }
        }
    }

    private func opened() throws(RunnerFailure) -> Image {
        if format == .tiff, let layout = TIFFLayout(bytes) {
            if let refusal = layout.refusal { throw refusal }
            cache.repaired = layout.markedAsStraight(bytes)
        }
        let image = try load([:])
        try PictureLimits.check(
            width: image.width, height: image.height, fileLength: bytes.count)
        if format == .jpeg, let completed = JPEGEnding.completed(bytes) {
            cache.repaired = completed
            return try load([:])
        }
        if format == .jxl, image.bands > 4 {
            // libjxl passes at most four channels to libvips.
            throw RunnerFailure(
                code: .blockedFormat,
                message: "JPEG XL pictures with \(image.bands) channels are not supported; "
                    + "save it with only colours and alpha")
        }
        // HEIF files store pictures in any order and mark the primary one.
        guard let primary = image.integer("heif-primary"), primary > 0 else { return image }
        return try load(["page": .integer(primary)])
    }

    /// Returns the upright picture at full size.
    ///
    /// - Parameter access: The access pattern of the reader. A picture that must be rotated is decoded into memory at
    ///   the first read, with either access.
    func upright(access: PixelAccess) throws(RunnerFailure) -> Image {
        let header = try header()
        let isRandom = access == .random || needsRandomAccess(header)
        guard isRandom else { return try rotated(try inSteps(try sequential())) }
        return try rotated(try reload(header, ["access": "random"]))
    }

    /// Returns the upright picture, decoded at the smallest size that the format supports above twice the requested
    /// size.
    ///
    /// - Parameter longerSide: The requested size, in pixels.
    func reducedUpright(longerSide: Int) throws(RunnerFailure) -> Image {
        let header = try header()
        let factor = max(header.width, header.height) / max(1, longerSide * 2)
        // Random access, because it may be read more than once. The image is small for the formats with reduced
        // decoding.
        return try rotated(try reduced(header, by: factor, access: .random))
    }

    /// Returns the picture as stored, decoded at the smallest supported size that is not reduced by more than
    /// `factor`. JPEG supports 1/2, 1/4 and 1/8, WebP any factor.
    ///
    /// - Parameter header: The result of ``header()``.
    func reduced(
        _ header: Image, by factor: Int, access: PixelAccess
    ) throws(RunnerFailure) -> Image {
        // A side shorter than the factor would become zero, which makes libvips abort.
        let factor = min(factor, min(header.width, header.height))
        var options: [String: OperationValue] = access == .random ? ["access": "random"] : [:]
        switch format {
        case .jpeg: options["shrink"] = [8, 4, 2].first { $0 <= factor }.map { .integer($0) }
        case .webp where factor >= 2: options["scale"] = .double(1 / Double(factor))
        default: break
        }
        return options.isEmpty ? try sequential() : try reload(header, options)
    }

    /// Returns the orientation that has not been applied yet, 1...8. It is 1 for formats that libheif and libjxl
    /// rotate.
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
                return try open(cache.repaired ?? bytes, loader, all)
            } catch  where cache.repaired == nil && HEIFReferences.areReported(by: "\(error)") {
                guard let hidden = HEIFReferences.hidden(in: bytes) else { throw error }
                let image = try open(hidden, loader, all)
                cache.repaired = hidden
                return image
            }
        } catch {
            throw RunnerFailure(
                code: .badInput,
                message: "the \(format.displayName) picture cannot be opened: "
                    + abbreviated("\(error)"))
        }
    }

    private func open(
        _ bytes: Bytes, _ loader: String, _ options: [String: OperationValue]
    ) throws -> Image {
        // Cleared, so that old errors are not attributed to this file.
        VipsError.clear()
        let source = try ImageSource(memory: bytes.memory, owner: bytes)
        let image = try Image(source: source, loader: loader, options: options)
        switch format {
        case .heic, .avif: return try withColors(try completed(image))
        case .png: return try withColors(try oriented(image))
        case .tiff:
            // The layout of the file itself, not of a repaired copy.
            return try withColors(try TIFFLayout(self.bytes)?.arranged(image) ?? image)
        case .gif: return try GIFFrame.first(in: bytes)?.transparentAround(image) ?? image
        default: return try withColors(image)
        }
    }

    /// Sets the orientation of a PNG from metadata that libvips does not read.
    private func oriented(_ image: Image) throws -> Image {
        guard !image.hasField("exif-data") else { return image }
        let orientation = cache.orientation.value {
            PNGBlocks(self.bytes).exif.flatMap { TIFFReader(exif: $0) }
                .flatMap(ExifFacts.init)?.orientation
        }
        guard let orientation, orientation > 1 else { return image }
        return try image.copying { $0.set("orientation", to: orientation) }
    }

    /// Whether the file is a JPEG without an end marker. In this case, a copy with one is decoded.
    var lacksEnd: Bool { format == .jpeg && cache.repaired != nil }

    /// Copies the metadata of a HEIF image. libvips 8.14 frees it together with the loader, which an in-memory copy
    /// of the pixels outlives.
    private func completed(_ image: Image) throws -> Image {
        let fields = [ICCProfile.field, "exif-data", "xmp-data"].compactMap { name in
            image.blob(name).map { (name, $0) }
        }
        return try image.copying { metadata in
            for (name, bytes) in fields { metadata.set(name, to: bytes) }
        }
    }

    /// Returns the picture rotated by its orientation.
    func rotated(_ image: Image) throws(RunnerFailure) -> Image {
        try wrapping("turn the picture upright", code: .badInput) {
            guard pendingOrientation(image) > 1 else {
                return try image.copying { $0.remove("orientation") }
            }
            return try image.applying("autorot")
        }
    }
}

/// The cached results of opening a file.
private final class DecoderCache: Sendable {
    private struct State {
        var repaired: Bytes?
        var header: Image?
        /// Whether the header has been used for pulling pixels.
        var isTaken = false
    }

    private let state = Mutex(State())
    /// The orientation of a PNG from metadata that its loader does not read.
    let orientation = LazyValue<Int?>()

    /// A repaired copy of the file that its loader accepts, opened instead of the file. `nil` if the file needs no
    /// repair.
    var repaired: Bytes? {
        get { state.withLock { $0.repaired } }
        set { state.withLock { $0.repaired = newValue } }
    }

    var header: Image? { state.withLock { $0.header } }

    func keep(_ header: Image) {
        state.withLock { if $0.header == nil { $0.header = header } }
    }

    /// Returns the header to the first caller, for pulling its pixels, and `nil` to later ones.
    func take() -> Image? {
        state.withLock { state in
            defer { state.isTaken = true }
            return state.isTaken ? nil : state.header
        }
    }
}
