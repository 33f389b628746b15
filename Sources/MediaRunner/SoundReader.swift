// SPDX-License-Identifier: Apache-2.0

import CMedia
import FileAccess
import RunnerProtocol

/// The open sound of a video with its decoder. An instance is confined to one thread.
final class SoundReader {
    /// The format of the samples.
    let format: SoundFormat
    private let file: OpenFile
    private let reader: OpaquePointer

    /// Returns `nil` if there is no sound, or if it cannot be decoded or has more channels than supported.
    ///
    /// - Parameter origin: The time of the video's start in the file, in seconds.
    init?(_ file: OpenFile, origin: Double) {
        var (error, found) = (cmedia_error(), cmedia_sound_format())
        guard let origin = Int64(exactly: (origin * 1e6).rounded()),
            let reader = cmedia_open_sound(
                file.descriptor, VideoReader.tracksInOtherFiles(file), origin, &found, &error)
        else { return nil }
        self.file = file
        self.reader = reader
        format = SoundFormat(
            sampleRate: Int(found.sample_rate), channelCount: Int(found.channel_count))
        // The frames can be read without the sound.
        guard format.isValid else { return nil }
    }

    deinit { cmedia_close_sound(reader) }

    /// Decodes samples into memory, channels interleaved.
    ///
    /// - Parameters:
    ///   - first: The first sample, counted from the start of the video.
    ///   - count: The number of samples of each channel.
    /// - Throws: `badRequest` if they do not fit, `badInput` if the file cannot be read.
    func read(
        _ first: Int64, count: Int, into memory: UnsafeMutableRawBufferPointer
    ) throws(RunnerFailure) {
        guard (1...SoundFormat.maximumCount).contains(count),
            memory.count >= format.byteCount(count)
        else {
            throw RunnerFailure(
                code: .badRequest, message: "the samples do not fit into their memory")
        }
        var error = cmedia_error()
        let samples = memory.baseAddress?.assumingMemoryBound(to: Float.self)
        guard cmedia_read_sound(reader, first, Int32(count), samples, &error) else {
            throw .badVideo(error)
        }
    }
}
