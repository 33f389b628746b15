// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// Limits the memory of the pictures that are rendered concurrently.
///
/// Requests are served in order, so that a large picture is not starved. A picture that exceeds the whole budget is
/// rendered alone.
package final class MemoryBudget: Sendable {
    private struct State {
        var used = 0
        var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The limit in bytes.
    package init(limit: Int) { self.limit = limit }

    /// Runs `body` once there is memory for it.
    package func using<Result: Sendable>(
        _ bytes: Int, _ body: @Sendable () async -> Result
    ) async -> Result {
        let bytes = max(0, bytes)
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                guard state.waiting.isEmpty, fits(bytes, state.used) else {
                    state.waiting.append((bytes, continuation))
                    return false
                }
                state.used += bytes
                return true
            }
            if begins { continuation.resume() }
        }
        let result = await body()
        giveBack(bytes)
        return result
    }

    private func fits(_ bytes: Int, _ used: Int) -> Bool {
        used == 0 || bytes <= limit && used <= limit - bytes
    }

    private func giveBack(_ bytes: Int) {
        let next = state.withLock { state in
            state.used -= bytes
            var next: [CheckedContinuation<Void, Never>] = []
            while let first = state.waiting.first, fits(first.bytes, state.used) {
                state.used += first.bytes
                next.append(first.continuation)
                state.waiting.removeFirst()
            }
            return next
        }
        for continuation in next { continuation.resume() }
    }
}

extension AssetHistory {
    /// The estimated memory for rendering the picture, in bytes: its pixels with alpha before and after an extension,
    /// plus a constant for the runner.
    package var renderingMemory: Int {
        let facts = original?.facts
        let (width, height) = (
            max(asset.originalPixelWidth, asset.pixelWidth),
            max(asset.originalPixelHeight, asset.pixelHeight)
        )
        let (pixels, isTooLarge) = max(1, width).multipliedReportingOverflow(by: max(1, height))
        let sample = (facts?.bitsPerSample ?? 8) > 8 ? 2 : 1
        let (bytes, isMore) = pixels.multipliedReportingOverflow(by: 2 * 4 * sample)
        // The size in a library is untrusted.
        return isTooLarge || isMore ? Int.max / 2 : min(bytes, Int.max / 4) + (96 << 20)
    }
}
