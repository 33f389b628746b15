// SPDX-License-Identifier: Apache-2.0

import RunnerHost

extension Renderer {
    /// Returns a frame of a video as upright pixels, or any other base unchanged.
    ///
    /// - Parameter time: The presentation time in seconds, as players count; `nil` for the first frame, which stands
    ///   for the video.
    /// - Throws: `HostError`.
    func still(of base: Base, at time: Double? = nil) async throws -> Base {
        try await pool.still(of: base, at: time)
    }
}
