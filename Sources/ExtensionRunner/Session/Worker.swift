// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import RunnerSupport
import Vips

/// Processes requests in sequence on its own thread.
final class Worker {
    let runtime: Runtime
    private var libraries: [String: ExtensionLibrary] = [:]
    private var session: Session?
    var rawOutput: UncompressedOutput?
    /// The number of full-size decodes that opened the raw output.
    private var openedForOutput = 0
    var frames: FrameSequence?
    /// The file that the step of a job returned instead of an image.
    private var renderedFile: RenderedFile?

    init(runtime: Runtime) { self.runtime = runtime }

    /// Processes requests and never returns.
    func run(_ queue: RequestQueue) {
        while true { handle(queue.next()) }
    }

    private func handle(_ received: ReceivedRequest) {
        runtime.work.begin()
        let reply: RunnerReply?
        do {
            reply = try answer(received).map(addingDecodeCounts)
        } catch {
            reply = .failed(error)
        }
        runtime.work.end()
        // The phase ends before the reply is sent, so that the host does not attribute later failures to this
        // request.
        runtime.phases.end()
        if let reply { runtime.reply(reply, to: received) }
    }

    /// Sets the number of decodes in a report. This comes last, because decoding is lazy.
    private func addingDecodeCounts(_ reply: RunnerReply) -> RunnerReply {
        guard case .rendered(var report) = reply else { return reply }
        report.fullSizeDecodes = runtime.decodes.fullSize
        report.reducedDecodes = runtime.decodes.reduced
        return .rendered(report)
    }

    /// Returns the reply to a request; `nil` if another thread replies.
    private func answer(_ received: ReceivedRequest) throws(RunnerFailure) -> RunnerReply? {
        if case .takeOutput = received.request {} else { discardUnusedRawOutput() }
        if case .takeFile = received.request {} else { renderedFile = nil }
        switch received.request {
        case .load(let description): return try load(description, received)
        case .describe(let identifier): return .manifest(try loaded(identifier).manifest())
        case .run(let job): return try run(job, received)
        case .takeOutput: return try takeOutput(received)
        case .takeFile: return try takeFile(received)
        case .open(let identifier): return try open(identifier)
        case .canHandle(let recipe):
            try runtime.work.check()
            return .answer(try openSession().canHandle(recipe))
        case .start(let start): return .parameters(try openSession().start(start, received))
        case .setParameters(let json, let files):
            return .parameters(try openSession().setParameters(json, files, received))
        case .preview(let output, let view):
            let (sink, fullSize) = try openSession().preview(view)
            return try deliver(sink, output, received, edited: fullSize)
        case .supplyFullSize(let kind):
            try openSession().supplyFullSize(kind, received)
            return .done
        case .finish: return .finished(try openSession().finish())
        case .render(let output): return try deliver(try openSession().sink(), output, received)
        case .close: return try close()
        case .narrow(let steps, let timing):
            return .keptRanges(
                try FrameSequence.keptRanges(by: steps, of: timing, libraries, runtime.phases))
        case .openFrames(let input):
            frames?.close()
            frames = nil
            frames = try FrameSequence(input, received, libraries, runtime)
            return .done
        case .processFrame(let job): return try process(job, received)
        case .generatesFrames(let identifiers):
            return .answers(identifiers.map { libraries[$0]?.generatesFrames == true })
        case .putFrame(let job):
            try openFrames().put(job, received)
            return .done
        case .takeFrame(let expected): return try takeFrame(expected, received)
        case .closeFrames: return try closeFrames()
        case .readSidecar: return .sidecar(Sidecar.facts(of: try received.descriptor(.sidecar)))
        case .writeSidecar(let settings): return try writeSidecar(settings, received)
        case .openVideo, .seek, .readFrame, .decodeFrames, .openSound, .readSound, .beginVideo,
            .writeFrame, .endVideo, .copyVideo, .findLosses, .playsInBrowsers:
            throw RunnerFailure(
                code: .badRequest, message: "videos can be opened only by the media runner")
        case .shouldConfirmCancel, .cancel, .supplyVideo:
            throw RunnerFailure(
                code: .badRequest,
                message: "the worker does not support this request")
        }
    }

    // MARK: - Extensions

    private func load(
        _ description: LoadedExtension, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        guard libraries[description.identifier] == nil else {
            throw RunnerFailure(
                code: .badRequest, message: "it has already been loaded",
                extensionIdentifier: description.identifier)
        }
        runtime.phases.enter(.loading(extensionIdentifier: description.identifier))
        libraries[description.identifier] = try ExtensionLibrary(
            description, library: try received.descriptor(.library),
            files: received.optional(.files), runtime: runtime)
        return .loaded
    }

    // MARK: - Sidecars

    private func writeSidecar(
        _ settings: SidecarWriting, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        runtime.phases.enter(.decoding)
        // A format that libvips cannot open contributes nothing.
        let picture = received.optional(.metadataSource).flatMap { try? MetadataSource(file: $0) }
        let contents = try Sidecar.contents(
            settings, updating: received.optional(.sidecar), beside: picture?.blocks)
        let output = try received.descriptor(.output)
        do {
            let append: (UnsafeRawBufferPointer) throws -> Void = { try output.append($0) }
            try (contents ?? []).withUnsafeBytes(append)
        } catch {
            throw RunnerFailure(
                code: .outputFailed, message: "the sidecar cannot be written: \(error)")
        }
        return .done
    }

    // MARK: - Jobs

    private func run(
        _ job: RenderJob, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        runtime.phases.enter(.decoding)
        let opened = runtime.decodes.fullSize
        if case .image(let display) = job.output {
            return try renderForDisplay(display, job.input, received)
        }
        if case .quality = job.output { return try measure(job.input, received) }
        let prepared = try JobInput(
            job.input, received, libraries, runtime, needsFacts: job.output != .raw)
        var isKept = false
        defer { if !isKept { prepared.chain.close() } }
        if case .facts = job.output { return try facts(prepared) }
        if case .encoded(let settings) = job.output, settings.keepsPixels == true {
            return .rendered(
                try prepared.rewrite(settings, to: try received.descriptor(.output)))
        }
        do {
            let (image, fullSize) = try prepared.image(for: job.output)
            let reply = try deliver(
                prepared.sink(image), job.output, received, prepared, fullSize: fullSize)
            isKept = rawOutput != nil
            if isKept { openedForOutput = runtime.decodes.fullSize - opened }
            return reply
        } catch {
            return try written(by: prepared, error)
        }
    }

    /// Returns the reply for a step whose output is a file, otherwise rethrows the failure.
    private func written(
        by input: JobInput, _ failure: RunnerFailure
    ) throws(RunnerFailure) -> RunnerReply {
        guard let written = input.chain.writtenFile else { throw failure }
        renderedFile = written.file
        return .fileWritten(step: written.step, written.file.description(written.profile))
    }

    private func measure(
        _ input: RenderInput, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        let input = try JobInput(input, received, libraries, runtime, needsFacts: false)
        defer { input.chain.close() }
        var report = RenderReport(
            width: 0, height: 0, byteCount: 0, facts: nil, fullSizeDecodes: 0)
        report.quality = try input.quality()
        return .rendered(report)
    }

    private func renderForDisplay(
        _ display: DisplaySettings, _ input: RenderInput, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        if display.isFromCache, let report = try renderFromThumbnail(received) {
            return .rendered(report)
        }
        let input = try JobInput(input, received, libraries, runtime, needsFacts: false)
        var isKept = false
        defer { if !isKept { input.chain.close() } }
        var report = RenderReport(
            width: 0, height: 0, byteCount: 0, facts: nil, fullSizeDecodes: 0)
        let rendered: (image: Image, fullSize: PixelSize)?
        do {
            rendered = try input.image(for: display)
        } catch {
            return try written(by: input, error)
        }
        guard let (image, fullSize) = rendered else { return .rendered(report) }
        // Pictures for viewing carry no metadata of the photo.
        var sink = input.sink(image).withoutMetadata
        (report.width, report.height, report.fullSize) = (image.width, image.height, fullSize)
        if var settings = display.encoding {
            // The pixels are computed once for both outputs.
            if display.writesPixels { sink = try sink.inMemory() }
            if settings.format == .jpeg, image.bands == 4 { settings.format = .webp }
            (_, report.byteCount, _) = try sink.encode(
                settings, to: try received.descriptor(.output))
        }
        guard display.writesPixels else { return .rendered(report) }
        let raw = try UncompressedOutput(sink, report: report, chain: input.chain)
        if let pixels = received.optional(.pixels) {
            report = try raw.write(to: pixels, profile: nil)
            report.layout = raw.layout
            return .rendered(report)
        }
        rawOutput = raw
        isKept = true
        return .outputNeeded(raw.layout)
    }

    /// Decodes a picture of a library's cache into `pixels`; `nil` if it is not a simple JPEG.
    private func renderFromThumbnail(_ received: ReceivedRequest) throws(RunnerFailure)
        -> RenderReport?
    {
        guard let room = received.optional(.pixels),
            let picture = SmallJPEG(try received.descriptor(.base))
        else { return nil }
        guard (try? picture.pixels.withUnsafeBytes({ try room.write($0, at: 0) })) != nil else {
            throw RunnerFailure(code: .outputFailed, message: "the pixels cannot be written")
        }
        runtime.decodes.countFullSize()
        var report = RenderReport(
            width: picture.size.width, height: picture.size.height, fullSize: picture.size,
            byteCount: picture.pixels.count, facts: nil, fullSizeDecodes: 0)
        report.layout = UncompressedLayout(
            width: picture.size.width, height: picture.size.height, pixelFormat: .rgb8,
            // Without an embedded profile, the pixels are sRGB.
            profile: .original)
        return report
    }

    private func facts(_ input: JobInput) throws(RunnerFailure) -> RunnerReply {
        guard let facts = input.facts else {
            throw RunnerFailure(
                code: .badRequest,
                message: "raw pixels have no facts")
        }
        try input.sink(try input.chain.image(after: input.chain.count)).discard()
        var report = RenderReport(
            width: facts.pixelWidth, height: facts.pixelHeight, byteCount: 0, facts: facts,
            fullSizeDecodes: 0, warnings: input.warnings)
        report.changeDate = input.changeDate
        report.imageData = input.imageData
        return .rendered(report)
    }

    /// Writes the pixels to the requested output, or requests memory for raw pixels.
    ///
    /// - Parameters:
    ///   - fullSize: The size of the picture before it was reduced for the output, which its metadata describes.
    ///   - edited: The size of the edited picture that a preview shows. It is only reported.
    private func deliver(
        _ sink: RenderSink, _ output: RenderOutput, _ received: ReceivedRequest,
        _ input: JobInput? = nil,
        fullSize: PixelSize? = nil, edited: PixelSize? = nil
    ) throws(RunnerFailure) -> RunnerReply {
        var report = RenderReport(
            width: sink.image.width, height: sink.image.height, fullSize: fullSize ?? edited,
            byteCount: 0, facts: input?.facts, fullSizeDecodes: 0, warnings: input?.warnings ?? [])
        switch output {
        case .facts:
            try sink.discard()
        case .encoded(let settings):
            let (size, byteCount, omissions) = try sink.encode(
                settings, to: try received.descriptor(.output), fullSize: fullSize)
            (report.width, report.height, report.byteCount) = (size.width, size.height, byteCount)
            report.omissions = omissions
        case .image, .quality:
            throw RunnerFailure(
                code: .badRequest, message: "an edit cannot be rendered before it is committed")
        case .raw, .reducedRaw:
            let raw = try UncompressedOutput(sink, report: report, chain: input?.chain)
            if let profile = received.optional(.writtenProfile) { try raw.write(profile: profile) }
            rawOutput = raw
            return .outputNeeded(raw.layout)
        }
        return .rendered(report)
    }

    private func takeOutput(_ received: ReceivedRequest) throws(RunnerFailure) -> RunnerReply? {
        guard let rawOutput else {
            throw RunnerFailure(code: .badRequest, message: "no raw output is waiting")
        }
        if received.optional(.writtenRows) != nil, libraries.isEmpty {
            self.rawOutput = nil
            try PixelStreamer(rawOutput, received, runtime).start()
            return nil
        }
        defer { closeRawOutput() }
        let profile = received.optional(.profile)
        guard let file = received.optional(.reusedOutput) else {
            return .rendered(
                try rawOutput.write(to: try received.descriptor(.output), profile: profile))
        }
        guard let mapping = runtime.mappings.mapping(of: file, isWritable: true) else {
            throw RunnerFailure(code: .outputFailed, message: "the output cannot be mapped")
        }
        if let socket = received.optional(.writtenRows) {
            return .rendered(
                try rawOutput.write(into: mapping, announcingTo: socket, isConcurrent: false))
        }
        return .rendered(try rawOutput.write(into: mapping, profile: profile))
    }

    private func takeFile(_ received: ReceivedRequest) throws(RunnerFailure) -> RunnerReply {
        guard let file = renderedFile ?? session?.renderedFile else {
            throw RunnerFailure(code: .badRequest, message: "no file is waiting")
        }
        try file.copy(to: try received.descriptor(.output))
        return .done
    }

    /// Discards raw output that was requested only for its layout.
    private func discardUnusedRawOutput() {
        if rawOutput != nil { runtime.decodes.takeBackFullSize(openedForOutput) }
        openedForOutput = 0
        closeRawOutput()
    }

    private func closeRawOutput() {
        rawOutput?.chain?.close()
        rawOutput = nil
    }

    // MARK: - Sessions

    private func open(_ identifier: String) throws(RunnerFailure) -> RunnerReply {
        guard session == nil else {
            throw RunnerFailure(code: .badRequest, message: "an edit is open already")
        }
        session = try Session(try loaded(identifier), libraries, runtime)
        return .done
    }

    private func loaded(_ identifier: String) throws(RunnerFailure) -> ExtensionLibrary {
        guard let library = libraries[identifier] else {
            throw RunnerFailure(
                code: .badRequest, message: "the extension \(identifier) has not been loaded")
        }
        return library
    }

    private func close() throws(RunnerFailure) -> RunnerReply {
        try openSession().close()
        session = nil
        return .done
    }

    private func openSession() throws(RunnerFailure) -> Session {
        guard let session else {
            throw RunnerFailure(code: .badRequest, message: "no edit is open")
        }
        return session
    }
}
