// SPDX-License-Identifier: Apache-2.0

/// The format of the sound of a video after decoding: 32-bit floating-point numbers, channels interleaved.
package struct SoundFormat: Codable, Hashable, Sendable {
    /// The maximum number of channels.
    package static let maximumChannels = 64
    /// The maximum number of samples of each channel in one request.
    package static let maximumCount = 1 << 16

    /// The number of samples per second and channel.
    package var sampleRate: Int
    /// The number of channels.
    package var channelCount: Int

    /// Creates a format from its properties.
    package init(sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Whether the numbers, which come from an untrusted file, are within the limits.
    package var isValid: Bool {
        (1...1 << 24).contains(sampleRate) && (1...Self.maximumChannels).contains(channelCount)
    }

    /// Returns the size in bytes of a number of samples of each channel.
    package func byteCount(_ count: Int) -> Int {
        count * channelCount * MemoryLayout<Float>.size
    }
}
