// SPDX-License-Identifier: Apache-2.0

import RunnerHost
import RunnerProtocol

extension VideoFrameReader {
    /// Decodes the first frame of a part. Returns `nil` if there is none.
    func first(of range: KeptVideoRange, into buffer: PixelBuffers.Buffer) async throws
        -> FrameTime?
    {
        if range.secondsBefore > 0 { try await skip(to: range.secondsBefore) }
        while let frame = try await read(into: buffer) {
            switch range.place(ofDecoded: frame) {
            case .before: continue
            case .inside: return frame
            case .after: return nil
            }
        }
        return nil
    }

    /// Decodes the next frame of a part. Returns `nil` if there are no more.
    func next(of range: KeptVideoRange, into buffer: PixelBuffers.Buffer) async throws -> FrameTime?
    {
        guard let frame = try await read(into: buffer), range.place(ofDecoded: frame) == .inside
        else {
            return nil
        }
        return frame
    }
}
