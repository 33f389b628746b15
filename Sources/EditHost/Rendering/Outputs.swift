// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// What is wanted of a runner's pixels. What comes of it is typed by that.
protocol Output: Sendable {
    associatedtype Picture: Sendable

    /// Whether it is raw pixels at full size, which untrusted extensions can give.
    var isRaw: Bool { get }

    /// The same, as an untrusted extension gives it, which has this digest.
    func written(by author: SHA256Digest) -> Self
    /// The same picture, with the original's profile where its runner did not give that.
    func having(_ profile: OpenFile?, _ picture: Picture) -> Picture
    /// Whether the original's metadata or profile goes out with it.
    var needsOriginal: Bool { get }

    /// Asks a runner for the output, and goes along until it is there.
    ///
    /// - Parameter request: the request that this is the output of.
    /// - Throws: `HostError`.
    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture>
}

extension Output {
    var isRaw: Bool { false }
    func written(by author: SHA256Digest) -> Self { self }
    func having(_ profile: OpenFile?, _ picture: Picture) -> Picture { picture }
    var needsOriginal: Bool { true }
}

/// What came of a job.
enum JobResult<Picture: Sendable>: Sendable {
    /// The output is there.
    case picture(Picture)
    /// The step of this index wrote its output into a file: verify it, and go on from it.
    case fileWritten(step: Int, WrittenFile)
}

/// Decode every pixel, and say what the picture is.
struct FactsOutput: Output {
    /// What a picture is that can be decoded whole.
    struct Picture: Sendable {
        var facts: PhotoFacts
        /// What the user should be told.
        var warnings: [String]
    }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let reply = try await runner.askForPixels(request(.facts), descriptors)
        guard case .rendered(let report) = reply, let facts = report.facts else {
            throw runner.unexpected(reply)
        }
        runner.recordSuccess()
        return .picture(Picture(facts: facts, warnings: report.warnings))
    }
}

/// A file of an encoded picture.
struct EncodedOutput: Output {
    /// An encoded picture that a runner wrote, in memory.
    struct Picture: Sendable {
        let bytes: OpenFile
        /// As the runner says.
        let byteCount: Int
        /// As the runner says.
        let size: PixelSize
        /// What of the original's metadata is not in it, for the user.
        var omissions: [String] = []
        /// Of a video that is a part of the original, in seconds.
        var duration: Double?
    }

    let settings: EncodeSettings

    init(_ settings: EncodeSettings) { self.settings = settings }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let memory = try OpenFile.lentMemory("output")
        let reply = try await runner.askForPixels(
            request(.encoded(settings)), descriptors + [(.output, memory)])
        switch reply {
        case .rendered(let report):
            runner.recordSuccess()
            return .picture(
                Picture(
                    bytes: memory, byteCount: report.byteCount,
                    size: PixelSize(width: report.width, height: report.height),
                    omissions: report.omissions))
        case .fileWritten(let step, let file): return .fileWritten(step: step, file)
        default: throw runner.unexpected(reply)
        }
    }
}

/// Uncompressed pixels.
struct RawOutput: Output {
    /// Pixels that a runner gave, in memory.
    struct Picture: Sendable {
        let buffer: PixelBuffers.Buffer
        let layout: RawLayout
        /// The original's RGB profile, where pixels are in that and the runner was not given it.
        var profile: OpenFile?
        /// The size of the picture that this one is a reduction of; nil where that is not known.
        let fullSize: PixelSize?
        /// Which frame of a video it is, as a media runner says.
        var moment: FrameMoment?
    }

    /// The square that the picture is fitted into, in pixels; nil: it stays as large as it is.
    var longerSide: Int?
    /// What their memory may be used again for; nil: it is sealed, so that nobody can change it.
    var use: PixelBuffers.Use?

    /// What a runner is asked for.
    static func request(_ longerSide: Int?) -> RenderOutput {
        longerSide.map { .reducedRaw(longerSide: $0) } ?? .raw
    }

    var isRaw: Bool { longerSide == nil }
    func written(by author: SHA256Digest) -> RawOutput {
        // Whoever reduces them is trusted.
        guard isRaw else { return self }
        guard case .input(let reader) = use else { return RawOutput() }
        return RawOutput(use: .between(author, reader))
    }

    func having(_ profile: OpenFile?, _ picture: Picture) -> Picture {
        var picture = picture
        picture.profile = picture.profile ?? profile
        return picture
    }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let request = request(Self.request(longerSide))
        switch try await runner.askForPixels(request, descriptors) {
        case .outputNeeded(let layout):
            let picture = try await runner.takePixels(of: layout, use, for: request)
            runner.recordSuccess()
            return .picture(picture)
        case .fileWritten(let step, let file): return .fileWritten(step: step, file)
        case let reply: throw runner.unexpected(reply)
        }
    }
}

/// How good a picture is.
struct QualityOutput: Output {
    var needsOriginal: Bool { false }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<PictureQuality> {
        let reply = try await runner.askForPixels(request(.quality), descriptors)
        guard case .rendered(let report) = reply, let quality = report.quality,
            quality.sharpness.isFinite, quality.exposure.isFinite
        else { throw runner.unexpected(reply) }
        runner.recordSuccess()
        return .picture(quality)
    }
}

/// A picture for somebody who looks at it. A cancelled task ends it, and its runner goes on.
struct ImageOutput: Output {
    /// What was drawn. Both are nil where nothing but a thumbnail was wanted, and there is none.
    struct Picture: Sendable {
        /// The pixels, where they were wanted.
        let pixels: RawOutput.Picture?
        /// The encoded file, where it was wanted.
        let encoded: EncodedOutput.Picture?
    }

    let drawing: ImageDrawing

    var needsOriginal: Bool { drawing.keepsProfile }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let memory = try drawing.encoding.map { _ in try OpenFile.lentMemory("output") }
        // A profile of its own comes only with what is asked for in two steps.
        let room =
            drawing.givesPixels && !drawing.keepsProfile ? try OpenFile.memory("pixels") : nil
        let lent = [(DescriptorRole.output, memory), (.pixels, room)]
        let request = request(.image(drawing))
        let reply = try await runner.askForPixels(
            request, descriptors + lent.compactMap { role, file in file.map { (role, $0) } },
            isCancellable: true)
        var pixels: RawOutput.Picture?
        var report: RenderReport?
        switch reply {
        case .outputNeeded(let layout):
            pixels = try await runner.takePixels(of: layout, nil, for: request, isCancellable: true)
        case .rendered(let rendered):
            report = rendered
            if let room, let layout = rendered.layout {
                pixels = try runner.takePixels(in: room, of: layout, fullSize: rendered.fullSize)
            }
        case .fileWritten(let step, let file): return .fileWritten(step: step, file)
        default: throw runner.unexpected(reply)
        }
        runner.recordSuccess()
        return .picture(
            Picture(pixels: pixels, encoded: try memory.flatMap { try encoded($0, pixels, report) })
        )
    }

    private func encoded(
        _ memory: OpenFile, _ pixels: RawOutput.Picture?, _ report: RenderReport?
    ) throws -> EncodedOutput.Picture? {
        let byteCount = try memory.byteCount()
        guard byteCount > 0 else { return nil }
        let size =
            pixels.map { PixelSize(width: $0.layout.width, height: $0.layout.height) }
            ?? PixelSize(width: report?.width ?? 0, height: report?.height ?? 0)
        let sides = 1...(1 << 20)
        guard sides.contains(size.width), sides.contains(size.height), byteCount <= 1 << 31 else {
            throw HostError(.runnerFailed, "the runner wrote a picture of \(size)")
        }
        return EncodedOutput.Picture(bytes: memory, byteCount: byteCount, size: size)
    }
}
