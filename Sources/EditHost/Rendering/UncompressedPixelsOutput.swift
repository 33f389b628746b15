// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

/// Uncompressed pixels in memory.
struct UncompressedPixelsOutput: RequestedOutput {
    typealias Picture = UncompressedPixels

    /// The side of the square that the picture is fitted into, in pixels; `nil` keeps the full size.
    var longerSide: Int?
    /// The permitted recycling of the memory; `nil` for memory that is sealed against changes.
    var use: PixelBuffers.Use?

    /// Returns the request for pixels that fit into this square.
    static func request(_ longerSide: Int?) -> RenderOutput {
        longerSide.map { .reducedRaw(longerSide: $0) } ?? .raw
    }

    var isRaw: Bool { longerSide == nil }
    func written(by author: SHA256Digest) -> UncompressedPixelsOutput {
        // Reduced pixels are written by trusted code.
        guard isRaw else { return self }
        guard case .input(let reader) = use else { return UncompressedPixelsOutput() }
        return UncompressedPixelsOutput(use: .between(author, reader))
    }

    func addingProfile(_ profile: OpenFile?, _ picture: Picture) -> Picture {
        var picture = picture
        picture.profile = picture.profile ?? profile
        return picture
    }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let request = request(Self.request(longerSide))
        switch try await runner.requestPixels(request, descriptors) {
        case .outputNeeded(let layout):
            let picture = try await runner.takePixels(of: layout, use, for: request)
            runner.recordSuccess()
            return .picture(picture)
        case .fileWritten(let step, let file): return .fileWritten(step: step, file)
        case let reply: throw runner.unexpected(reply)
        }
    }
}
