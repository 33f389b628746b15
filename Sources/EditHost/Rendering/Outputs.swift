// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// The output requested of a runner's pixels, which determines the type of the result.
protocol Output: Sendable {
    associatedtype Picture: Sendable

    /// Whether the output is raw pixels at full size, which untrusted extensions can return.
    var isRaw: Bool { get }

    /// Returns the output for pixels that the untrusted extension with this digest writes.
    func written(by author: SHA256Digest) -> Self
    /// Returns the picture with the original's profile, if its runner returned none.
    func having(_ profile: OpenFile?, _ picture: Picture) -> Picture
    /// Whether the output includes the original's metadata or profile.
    var needsOriginal: Bool { get }

    /// Requests the output from a runner and waits for the result.
    ///
    /// - Parameter request: Makes the request for a given output.
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

/// The result of a runner's job.
enum JobResult<Picture: Sendable>: Sendable {
    /// The finished output.
    case picture(Picture)
    /// A file written by the step of this index. It must be verified before rendering continues from it.
    case fileWritten(step: Int, WrittenFile)
}

/// Decodes every pixel and returns the facts about the picture.
struct FactsOutput: Output {
    /// The facts about a picture that decodes completely.
    struct Picture: Sendable {
        var facts: PhotoFacts
        /// Warnings for the user.
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

/// An encoded file.
struct EncodedOutput: Output {
    /// An encoded picture that a runner wrote into memory.
    struct Picture: Sendable {
        let bytes: OpenFile
        /// The size of the file in bytes, as reported by the runner.
        let byteCount: Int
        /// The size in pixels, as reported by the runner.
        let size: PixelSize
        /// The original's metadata that the file lacks, described for the user.
        var omissions: [String] = []
        /// The duration in seconds of a video that is a part of the original; otherwise `nil`.
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

/// Raw, uncompressed pixels in memory.
struct RawOutput: Output {
    /// Raw pixels that a runner wrote into memory.
    struct Picture: Sendable {
        let buffer: PixelBuffers.Buffer
        let layout: RawLayout
        /// The original's RGB profile, if the pixels are in it and the runner was not given it.
        var profile: OpenFile?
        /// The size of the picture that these pixels are a reduction of, or `nil` if it is unknown.
        let fullSize: PixelSize?
        /// The frame of a video that the pixels show, as reported by the media runner.
        var moment: FrameMoment?
    }

    /// The side of the square that the picture is fitted into, in pixels; `nil` keeps the full size.
    var longerSide: Int?
    /// How the memory may be recycled; `nil` for memory that is sealed against changes.
    var use: PixelBuffers.Use?

    /// Returns the request for pixels that fit into this square.
    static func request(_ longerSide: Int?) -> RenderOutput {
        longerSide.map { .reducedRaw(longerSide: $0) } ?? .raw
    }

    var isRaw: Bool { longerSide == nil }
    func written(by author: SHA256Digest) -> RawOutput {
        // Reduced pixels are written by trusted code.
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

/// The measured sharpness and exposure of a picture.
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

/// A picture for display. Cancelling the task ends the request; its runner keeps running.
struct ImageOutput: Output {
    /// The rendered picture. Both properties are `nil` if only a thumbnail was requested and there is none.
    struct Picture: Sendable {
        /// The pixels, if requested.
        let pixels: RawOutput.Picture?
        /// The encoded file, if requested.
        let encoded: EncodedOutput.Picture?
    }

    let drawing: ImageDrawing

    var needsOriginal: Bool { drawing.keepsProfile }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let memory = try drawing.encoding.map { _ in try OpenFile.lentMemory("output") }
        // Only the two-step request returns a profile with the pixels.
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
