// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport
import Vips

/// Processes requests in sequence on its own thread.
final class Worker {
    let runtime: Runtime
    private var libraries: [String: ExtensionLibrary] = [:]
    private var session: Session?
    var rawOutput: RawOutput?
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

    private func handle(_ incoming: Incoming) {
        runtime.activity.begin()
        let reply: RunnerReply?
        do {
            reply = try answer(incoming)
        } catch {
            reply = .failed(error)
        }
        runtime.activity.end()
        // The phase ends before the reply is sent, so that the host does not attribute later failures to this
        // request.
        runtime.phases.end()
        if let reply { runtime.reply(reply, to: incoming) }
    }

    /// Returns the reply to a request, `nil` if another thread replies.
    private func answer(_ incoming: Incoming) throws(RunnerFailure) -> RunnerReply? {
        if case .takeOutput = incoming.request {} else { forgetRawOutput() }
        if case .takeFile = incoming.request {} else { renderedFile = nil }
        switch incoming.request {
        case .load(let description): return try load(description, incoming)
        case .describe(let identifier): return .manifest(try loaded(identifier).manifest())
        case .run(let job): return try run(job, incoming)
        case .takeOutput: return try takeOutput(incoming)
        case .takeFile: return try takeFile(incoming)
        case .open(let identifier): return try open(identifier)
        case .canHandle(let recipe):
            try runtime.activity.check()
            return .answer(try openSession().canHandle(recipe))
        case .start(let start): return .parameters(try openSession().start(start, incoming))
        case .setParameters(let json, let files):
            return .parameters(try openSession().setParameters(json, files, incoming))
        case .preview(let output, let view):
            return try deliver(try openSession().preview(view), output, incoming)
        case .supplyFullSize(let kind):
            try openSession().supplyFullSize(kind, incoming)
            return .done
        case .finish: return .finished(try openSession().finish())
        case .render(let output): return try deliver(try openSession().pull(), output, incoming)
        case .close: return try close()
        case .narrow(let steps, let timing):
            return .kept(
                try FrameSequence.kept(by: steps, of: timing, libraries, runtime.phases))
        case .openFrames(let input):
            frames?.close()
            frames = nil
            frames = try FrameSequence(input, incoming, libraries, runtime)
            return .done
        case .processFrame(let job): return try process(job, incoming)
        case .makesFrames(let identifiers):
            return .answers(identifiers.map { libraries[$0]?.makesFrames == true })
        case .putFrame(let job):
            try openFrames().put(job, incoming)
            return .done
        case .takeFrame(let wanted): return try takeFrame(wanted, incoming)
        case .closeFrames: return try closeFrames()
        case .readSidecars: return .sidecars(Sidecar.facts(of: incoming.sidecars))
        case .openVideo, .skipTo, .readFrame, .decodeFrames, .beginVideo, .writeFrame, .endVideo,
            .copyVideo, .foreseeLosses:
            throw RunnerFailure(
                code: .badRequest, message: "videos can be opened only by the media runner")
        case .shouldConfirmCancel, .cancel:
            throw RunnerFailure(
                code: .badRequest,
                message: "the worker does not support this request")
        }
    }

    // MARK: - Extensions

    private func load(
        _ description: LoadedExtension, _ incoming: Incoming
    ) throws(RunnerFailure) -> RunnerReply {
        guard libraries[description.identifier] == nil else {
            throw RunnerFailure(
                code: .badRequest, message: "it has already been loaded",
                extensionIdentifier: description.identifier)
        }
        runtime.phases.enter(.loading(extensionIdentifier: description.identifier))
        libraries[description.identifier] = try ExtensionLibrary(
            description, library: try incoming.descriptor(.library),
            files: incoming.optional(.files), connection: runtime.connection)
        return .loaded
    }

    // MARK: - Jobs

    private func run(
        _ job: RenderJob, _ incoming: Incoming
    ) throws(RunnerFailure) -> RunnerReply {
        runtime.phases.enter(.decoding)
        let opened = runtime.decodes.fullSize
        if case .image(let drawing) = job.output {
            return try draw(drawing, job.input, incoming)
        }
        if case .quality = job.output { return try measure(job.input, incoming) }
        let prepared = try JobInput(
            job.input, incoming, libraries, runtime, needsFacts: job.output != .raw)
        var isKept = false
        defer { if !isKept { prepared.chain.close() } }
        if case .facts = job.output { return try facts(prepared) }
        if case .encoded(let settings) = job.output, settings.keepsPixels == true {
            return .rendered(
                try prepared.rewrite(settings, to: try incoming.descriptor(.output)))
        }
        do {
            let (image, fullSize) = try prepared.image(for: job.output)
            let reply = try deliver(
                prepared.pull(image), job.output, incoming, prepared, fullSize: fullSize)
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
        _ input: RenderInput, _ incoming: Incoming
    ) throws(RunnerFailure) -> RunnerReply {
        let input = try JobInput(input, incoming, libraries, runtime, needsFacts: false)
        defer { input.chain.close() }
        var report = RenderReport(
            width: 0, height: 0, byteCount: 0, facts: nil, fullSizeDecodes: runtime.decodes.fullSize
        )
        report.quality = try input.quality()
        return .rendered(report)
    }

    private func draw(
        _ drawing: ImageDrawing, _ input: RenderInput, _ incoming: Incoming
    ) throws(RunnerFailure) -> RunnerReply {
        if drawing.isOfCache, let report = try drawOfCache(incoming) { return .rendered(report) }
        let input = try JobInput(input, incoming, libraries, runtime, needsFacts: false)
        var isKept = false
        defer { if !isKept { input.chain.close() } }
        var report = RenderReport(
            width: 0, height: 0, byteCount: 0, facts: nil, fullSizeDecodes: runtime.decodes.fullSize
        )
        let drawn: (image: Image, fullSize: PixelSize)?
        do {
            drawn = try input.image(for: drawing)
        } catch {
            return try written(by: input, error)
        }
        guard let (image, fullSize) = drawn else { return .rendered(report) }
        // Pictures for viewing carry no metadata of the photograph.
        var pull = input.pull(image).withoutMetadata
        (report.width, report.height, report.fullSize) = (image.width, image.height, fullSize)
        if var settings = drawing.encoding {
            // Computed once for both outputs.
            if drawing.givesPixels { pull = try pull.inMemory() }
            if settings.format == .jpeg, image.bands == 4 { settings.format = .webp }
            (_, report.byteCount, _) = try pull.encode(
                settings, to: try incoming.descriptor(.output))
        }
        guard drawing.givesPixels else { return .rendered(report) }
        let raw = try RawOutput(pull, report: report, chain: input.chain)
        if let pixels = incoming.optional(.pixels) {
            report = try raw.write(to: pixels, profile: nil)
            report.layout = raw.layout
            return .rendered(report)
        }
        rawOutput = raw
        isKept = true
        return .outputNeeded(raw.layout)
    }

    /// Decodes a picture of a library's cache into `pixels`, `nil` if it is not a simple JPEG.
    private func drawOfCache(_ incoming: Incoming) throws(RunnerFailure) -> RenderReport? {
        guard let room = incoming.optional(.pixels),
            let picture = SmallJPEG(try incoming.descriptor(.base))
        else { return nil }
        guard (try? picture.pixels.withUnsafeBytes({ try room.write($0, at: 0) })) != nil else {
            throw RunnerFailure(code: .outputFailed, message: "the pixels cannot be written")
        }
        runtime.decodes.countFullSize()
        var report = RenderReport(
            width: picture.size.width, height: picture.size.height, fullSize: picture.size,
            byteCount: picture.pixels.count, facts: nil,
            fullSizeDecodes: runtime.decodes.fullSize, reducedDecodes: runtime.decodes.reduced)
        report.layout = RawLayout(
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
        try input.pull(try input.chain.image(after: input.chain.count)).discard()
        return .rendered(
            RenderReport(
                width: facts.pixelWidth, height: facts.pixelHeight, byteCount: 0, facts: facts,
                fullSizeDecodes: runtime.decodes.fullSize,
                reducedDecodes: runtime.decodes.reduced, warnings: input.warnings))
    }

    /// Writes the pixels to the requested output, or requests memory for raw pixels.
    private func deliver(
        _ pull: PixelPull, _ output: RenderOutput, _ incoming: Incoming, _ input: JobInput? = nil,
        fullSize: PixelSize? = nil
    ) throws(RunnerFailure) -> RunnerReply {
        var report = RenderReport(
            width: pull.image.width, height: pull.image.height, fullSize: fullSize, byteCount: 0,
            facts: input?.facts, fullSizeDecodes: 0, warnings: input?.warnings ?? [])
        switch output {
        case .facts:
            try pull.discard()
        case .encoded(let settings):
            let (size, byteCount, omissions) = try pull.encode(
                settings, to: try incoming.descriptor(.output), fullSize: fullSize)
            (report.width, report.height, report.byteCount) = (size.width, size.height, byteCount)
            report.omissions = omissions
        case .image, .quality:
            throw RunnerFailure(
                code: .badRequest, message: "an edit cannot be rendered before it is committed")
        case .raw, .reducedRaw:
            let raw = try RawOutput(pull, report: report, chain: input?.chain)
            if let profile = incoming.optional(.writtenProfile) { try raw.write(profile: profile) }
            rawOutput = raw
            return .outputNeeded(raw.layout)
        }
        report.fullSizeDecodes = runtime.decodes.fullSize
        report.reducedDecodes = runtime.decodes.reduced
        return .rendered(report)
    }

    private func takeOutput(_ incoming: Incoming) throws(RunnerFailure) -> RunnerReply? {
        guard let rawOutput else {
            throw RunnerFailure(code: .badRequest, message: "no raw output is waiting")
        }
        if incoming.optional(.writtenRows) != nil, libraries.isEmpty {
            self.rawOutput = nil
            try HandOver(rawOutput, incoming, runtime).start()
            return nil
        }
        defer { dropRawOutput() }
        let profile = incoming.optional(.profile)
        guard let file = incoming.optional(.reusedOutput) else {
            return .rendered(
                try rawOutput.write(to: try incoming.descriptor(.output), profile: profile))
        }
        guard let mapping = runtime.mappings.mapping(of: file, isWritable: true) else {
            throw RunnerFailure(code: .outputFailed, message: "the output cannot be mapped")
        }
        if let socket = incoming.optional(.writtenRows) {
            return .rendered(
                try rawOutput.write(into: mapping, announcingTo: socket, isBesideOthers: false))
        }
        return .rendered(try rawOutput.write(into: mapping, profile: profile))
    }

    private func takeFile(_ incoming: Incoming) throws(RunnerFailure) -> RunnerReply {
        guard let file = renderedFile ?? session?.renderedFile else {
            throw RunnerFailure(code: .badRequest, message: "no file is waiting")
        }
        try file.copy(to: try incoming.descriptor(.output))
        return .done
    }

    /// Discards raw output that was requested only for its layout.
    private func forgetRawOutput() {
        if rawOutput != nil { runtime.decodes.takeBackFullSize(openedForOutput) }
        openedForOutput = 0
        dropRawOutput()
    }

    private func dropRawOutput() {
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
