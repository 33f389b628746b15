// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The sound of a video that an edit starts from, decoded to samples.
public struct InputSound: Sendable {
    /// The number of samples per second and channel.
    public let sampleRate: Int
    /// The number of channels, at most 64.
    public let channelCount: Int

    let input: ContentEditingInput
    let host: HostVideo

    /// Decodes a part of the sound. Samples before and after the sound, and in gaps, are silent.
    ///
    /// - Parameters:
    ///   - first: The first sample, counted from the start of the video, at least 0. Sample `n` is at `n` /
    ///     ``sampleRate`` seconds.
    ///   - count: The number of samples of each channel.
    /// - Returns: `count` * ``channelCount`` numbers, interleaved by channel. Full scale is -1...1.
    /// - Throws: `EditingExtensionError`, with `badParameter` if `count` is negative or too large.
    public func samples(from first: Int64, count: Int) throws -> [Float] {
        let (total, isTooLarge) = count.multipliedReportingOverflow(by: channelCount)
        guard count >= 0, !isTooLarge, total <= Int(UInt32.max) else {
            throw EditingExtensionError(
                code: .badParameter, message: "\(count) samples cannot be read at once")
        }
        return try [Float](unsafeUninitializedCapacity: total) { buffer, filled in
            guard let samples = buffer.baseAddress, total > 0 else { return }
            try input.withInput { try host.readSound($0, from: first, count: count, to: samples) }
            filled = total
        }
    }
}
