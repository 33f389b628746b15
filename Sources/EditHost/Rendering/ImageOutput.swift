// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

/// A picture for display. Cancelling the task ends the request; its runner keeps running.
struct ImageOutput: RequestedOutput {
    /// The rendered picture. Both properties are `nil` if only a thumbnail was requested and there is none.
    struct Picture: Sendable {
        /// The pixels, if requested.
        let pixels: UncompressedPixels?
        /// The encoded file, if requested.
        let encoded: EncodedOutput.Picture?
    }

    let display: DisplaySettings

    var needsOriginal: Bool { display.keepsProfile }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let memory = try display.encoding.map { _ in try OpenFile.runnerMemory("output") }
        // Only the two-step request returns a profile with the pixels.
        let room =
            display.writesPixels && !display.keepsProfile ? try OpenFile.memory("pixels") : nil
        let lent = [(DescriptorRole.output, memory), (.pixels, room)]
        let request = request(.image(display))
        let reply = try await runner.requestPixels(
            request, descriptors + lent.compactMap { role, file in file.map { (role, $0) } },
            isCancellable: true)
        var pixels: UncompressedPixels?
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
        _ memory: OpenFile, _ pixels: UncompressedPixels?, _ report: RenderReport?
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
