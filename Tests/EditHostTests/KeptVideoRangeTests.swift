// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import Testing

@testable import EditHost

/// The part of a video that remains after its edits.
@Suite("kept range of a video")
struct KeptVideoRangeTests {
    @Test("an end that cannot be represented is unknown")
    func overflow() async throws {
        let whole = FrameTiming(numerator: 1, denominator: 25, start: 0, duration: 100)
        let range = try await KeptVideoRange(whole, [])
        #expect(range.end(through: FrameTime(timestamp: 99, duration: 1)) == 100)
        #expect(range.end(through: FrameTime(timestamp: 99)) == nil)
        #expect(range.end(through: FrameTime(timestamp: .max - 1, duration: 1)) == .max)
        #expect(range.end(through: FrameTime(timestamp: .max, duration: 1)) == nil)
    }
}
