// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import ImageMetadata
import RunnerProtocol
import RunnerSupport
import Vips

/// The opened input of a render job.
struct JobInput {
    /// The base and the steps over it.
    let chain: EditPipeline
    /// The facts of the base; `nil` for raw pixels.
    let facts: PhotoFacts?
    /// The date of the last change to the metadata, according to the file's XMP; `nil` if it states none.
    let changeDate: Date?
    private let hasExcessiveExif: Bool
    private let highDynamicRange: HighDynamicRange?
    private let original: MetadataSource?
    private let originalProfile: [UInt8]?
    private let movesPixels: Bool
    private let runtime: Runtime

    init(
        _ input: RenderInput, _ received: ReceivedRequest, _ libraries: [String: ExtensionLibrary],
        _ runtime: Runtime, needsFacts: Bool = true
    ) throws(RunnerFailure) {
        self.runtime = runtime
        movesPixels = input.movesPixels ?? false
        let original = try received.optional(.metadataSource)
            .map { file throws(RunnerFailure) in try MetadataSource(file: file) }
        self.original = original
        let profile = try received.profile(of: original)
        originalProfile = profile
        let base = try received.base(
            input.base, originalProfile: profile, assumed: input.assumedProfile, runtime)
        let reader = try (needsFacts ? base.decoder : nil).map { decoder throws(RunnerFailure) in
            FactsReader(decoder, header: try decoder.header())
        }
        facts = reader?.facts
        changeDate = reader?.changeDate
        hasExcessiveExif = reader?.hasExcessiveExif ?? false
        highDynamicRange = base.decoder?.highDynamicRange
        // Only steps use the facts of the original.
        var assetFacts = AssetFacts(input, input.steps.isEmpty ? nil : original)
        assetFacts.original = OriginalFile(input, received)
        chain = EditPipeline(
            base: base, steps: input.steps, facts: assetFacts,
            libraries: libraries, originalProfile: profile,
            files: try ParameterFiles(input.files, received), runtime: runtime,
            baseScale: input.baseScale)
    }

    /// The parts of the base's file that determine its pixels; `nil` if they are unknown.
    var imageData: [Range<Int>]? {
        chain.base.decoder.flatMap { ImageDataRanges($0.bytes, $0.format)?.ranges }
    }

    /// Returns the image to pull and its size before reduction. Without steps, a small output is made from a reduced
    /// base.
    func image(
        for output: RenderOutput
    ) throws(RunnerFailure) -> (image: Image, fullSize: PixelSize) {
        if chain.count == 0, let box = output.box {
            let size = try chain.base.size()
            let target = size.fitted(into: box)
            return (
                try chain.base.displaySize(longerSide: max(target.width, target.height)), size
            )
        }
        let image = try chain.image(after: chain.count)
        // An encoded picture is reduced by the encoder.
        guard case .reducedRaw = output, let box = output.box else { return (image, image.size) }
        return try wrapping("reduce the picture", code: .extensionFailed) {
            (try image.resized(to: image.size.fitted(into: box)), image.size)
        }
    }

    /// Writes the base with changed metadata and without re-encoding its pixels.
    ///
    /// - Throws: `badInput` if the file must be re-encoded, `outputFailed` if it cannot be written.
    func rewrite(_ settings: EncodeSettings, to file: OpenFile) throws(RunnerFailure)
        -> RenderReport
    {
        guard chain.count == 0, let decoder = chain.base.decoder, let facts else {
            throw RunnerFailure(
                code: .badInput, message: "it is not a stored file, so it has to be encoded")
        }
        let header = try decoder.header()
        guard !decoder.lacksEnd else {
            throw RunnerFailure(
                code: .badInput, message: "it has no end marker, so it has to be encoded")
        }
        let blocks = MetadataBlocks(decoder.bytes, decoder.format, header: header)
        let changes = settings.metadataChanges ?? MetadataChanges()
        try changes.requireWritableLivePhotoChanges(for: decoder.format, blocks.exif)
        let result: RewrittenFile?
        switch decoder.format {
        case .jpeg where facts.orientation == 1 || changes.isOfLivePhoto:
            result = JPEGRewriter(
                bytes: decoder.bytes, blocks: blocks, size: header.size, settings: settings,
                isUpright: facts.orientation == 1
            ).result()
        case .heic, .avif:
            result = HEIFRewriter(
                bytes: decoder.bytes, blocks: blocks, settings: settings
            ).result()
        case .gif:
            result = settings.omittedMetadata.flatMap {
                GIFRewriter(bytes: decoder.bytes, omitted: $0).result()
            }
        default:
            throw RunnerFailure(
                code: .badInput,
                message: "it is not upright or has another format, so it has to be encoded")
        }
        guard let result else {
            throw RunnerFailure(
                code: .badInput, message: "its metadata cannot be changed without encoding it")
        }
        let byteCount = try result.write(to: file, from: decoder.bytes)
        return RenderReport(
            width: header.width, height: header.height, byteCount: byteCount,
            facts: facts, fullSizeDecodes: 0)
    }

    /// Returns the image for viewing; `nil` if only the embedded thumbnail was requested and there is none.
    func image(
        for display: DisplaySettings
    ) throws(RunnerFailure) -> (image: Image, fullSize: PixelSize)? {
        let image: Image
        let size: PixelSize
        if chain.count > 0 {
            let state = try chain.image(after: chain.count)
            size = state.size
            image = try BasePicture.rendered(display, from: state)
        } else {
            size = try chain.base.size()
            guard let rendered = try picture(for: display, of: size) else { return nil }
            image = rendered
        }
        return try wrapping("convert the colours", code: .badInput) {
            (try image.colored(display), size)
        }
    }

    private func picture(
        for display: DisplaySettings, of size: PixelSize
    ) throws(RunnerFailure) -> Image? {
        if display.thumbnail == .only {
            return try chain.base.embeddedThumbnail(display, of: size)
        }
        return try chain.base.rendered(display, of: size) { image throws(RunnerFailure) in
            try sink(image).inMemory().image
        }
    }

    /// Returns the sink of an image of this job.
    func sink(_ image: Image) -> RenderSink {
        RenderSink(
            image: image, sources: chain.sources(after: chain.count), original: original,
            originalProfile: originalProfile, movesPixels: movesPixels)
    }

    /// The warnings for the user about the base.
    var warnings: [String] {
        var warnings: [String] = []
        if let facts, facts.frameCount > 1 {
            warnings.append("only the first of \(facts.frameCount) frames is used")
        }
        if chain.base.decoder?.lacksEnd == true {
            warnings.append("the file has no end marker; its pixels are complete")
        }
        if let highDynamicRange { warnings.append(highDynamicRange.warning) }
        if hasExcessiveExif {
            warnings.append("most of its EXIF is ignored: it is malformed or far too large")
        }
        if let problem = facts?.embeddedVideoProblem { warnings.append(problem) }
        return warnings
    }
}

extension RenderOutput {
    /// The size that the output is fitted into; `nil` if it is not reduced.
    fileprivate var box: PixelSize? {
        switch self {
        case .encoded(let settings): settings.size
        case .reducedRaw(let side): PixelSize(width: max(1, side), height: max(1, side))
        case .facts, .raw, .image, .quality: nil
        }
    }
}
