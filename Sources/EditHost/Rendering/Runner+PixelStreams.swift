// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

extension Runner {
    /// Requests raw pixels and returns their announced layout, with the original's profile if they are in it.
    ///
    /// - Parameter longerSide: The side of the square to fit them into, in pixels; `nil` keeps the full size.
    /// - Throws: `HostError`.
    func announcedPixels(
        _ job: Renderer.Job, longerSide: Int? = nil
    ) async throws -> (layout: UncompressedLayout, profile: OpenFile?) {
        let profile = try OpenFile.runnerMemory("profile")
        let reply = try await requestPixels(
            job.request(UncompressedPixelsOutput.request(longerSide)),
            job.descriptors + [(.writtenProfile, profile)])
        guard case .outputNeeded(let layout) = reply else { throw unexpected(reply) }
        try accept(layout)
        return (layout, try copy(ofProfile: profile))
    }

    /// Requests the announced pixels, written into memory that another runner reads concurrently.
    ///
    /// - Throws: `HostError`.
    func writePixels(
        _ streamedBuffer: StreamedBuffer, sent: (@Sendable () -> Void)? = nil
    ) async throws {
        let reply = try await send(
            .takeOutput, streamedBuffer.forWriter, timeout: timeouts.render, isFullSize: true,
            sent: sent)
        guard case .rendered = reply else { throw unexpected(reply) }
    }
}
