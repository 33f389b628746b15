// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

/// An encoded file.
struct EncodedOutput: RequestedOutput {
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
        /// The size of the whole edited picture at full size, as reported by the runner for a preview.
        var fullSize: PixelSize?
    }

    let settings: EncodeSettings

    init(_ settings: EncodeSettings) { self.settings = settings }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let memory = try OpenFile.runnerMemory("output")
        let reply = try await runner.requestPixels(
            request(.encoded(settings)), descriptors + [(.output, memory)])
        switch reply {
        case .rendered(let report):
            runner.recordSuccess()
            return .picture(
                Picture(
                    bytes: memory, byteCount: report.byteCount,
                    size: PixelSize(width: report.width, height: report.height),
                    omissions: report.omissions, fullSize: report.fullSize))
        case .fileWritten(let step, let file): return .fileWritten(step: step, file)
        default: throw runner.unexpected(reply)
        }
    }
}
