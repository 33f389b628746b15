// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import RunnerSupport
import Vips

/// Reads the video of an input, which the host opens on the first request. Thread-safe.
final class InputVideoReader: Sendable {
    private let exchange: VideoExchange
    private let opened = LazyValue<InputVideoFacts>()

    init(_ exchange: VideoExchange) { self.exchange = exchange }

    /// The facts about the video.
    ///
    /// - Throws: The failure reported by the host.
    func video() throws(RunnerFailure) -> InputVideoFacts {
        try opened.value { () throws(RunnerFailure) in
            try exchange.request(.open) { reply, _ throws(RunnerFailure) in
                guard case .opened(let video) = reply else { throw Self.mismatch }
                return video
            }
        }
    }

    /// A frame and the time of the following one; `nil` if it is the last.
    struct Frame {
        let image: Image
        let moment: FrameIdentity
        let next: FrameIdentity?
    }

    /// Returns the frame that is shown at a time in seconds.
    ///
    /// - Throws: `badRequest` if the time is not finite, otherwise the failure reported by the host.
    func frame(at time: Double) throws(RunnerFailure) -> Frame {
        guard time.isFinite else {
            throw RunnerFailure(code: .badRequest, message: "the time must be a finite number")
        }
        let timing = try video().timing
        return try exchange.request(.frame(at: time)) { reply, received throws(RunnerFailure) in
            guard case .frame(let layout, let time, let next) = reply else { throw Self.mismatch }
            return Frame(
                image: try Self.image(layout, in: try received.descriptor(.reusedBase)),
                moment: FrameIdentity(timing, time), next: next.map { FrameIdentity(timing, $0) })
        }
    }

    /// Copies the pixels, because the next frame overwrites them.
    private static func image(
        _ layout: UncompressedLayout, in file: OpenFile
    ) throws(RunnerFailure) -> Image {
        // Swift's own allocation traps at the memory limit of the runner.
        var aligned: UnsafeMutableRawPointer?
        guard posix_memalign(&aligned, 64, layout.byteCount) == 0, let allocated = aligned else {
            throw RunnerFailure(code: .tooLarge, message: "there is no memory for a frame")
        }
        let memory = UnsafeMutableRawBufferPointer(start: allocated, count: layout.byteCount)
        do throws(RunnerFailure) {
            guard (try? file.fill(memory, at: 0)) == memory.count else { throw unreadable }
            let address = UInt(bitPattern: allocated)
            return try wrapping("open a frame", code: .badInput) {
                try Image(
                    memory: UnsafeRawBufferPointer(memory), width: layout.width,
                    height: layout.height, bands: layout.pixelFormat.bands,
                    format: layout.pixelFormat.bandFormat,
                    interpretation: layout.pixelFormat.interpretation
                ) { free(UnsafeMutableRawPointer(bitPattern: address)) }
            }
        } catch {
            free(allocated)
            throw error
        }
    }

    /// Decodes samples of the sound, channels interleaved.
    ///
    /// - Parameters:
    ///   - first: The first sample, counted from the start of the video.
    ///   - samples: The memory for whole samples of all channels.
    /// - Throws: `badRequest` without sound, otherwise the failure reported by the host.
    func readSound(
        _ first: Int64, into samples: UnsafeMutableBufferPointer<Float>
    ) throws(RunnerFailure) {
        guard let format = try video().sound else {
            throw RunnerFailure(code: .badRequest, message: "the video has no sound")
        }
        let step = SoundFormat.maximumCount * format.channelCount
        var done = 0
        while done < samples.count {
            let part = samples[done..<min(samples.count, done + step)]
            let (start, isTooFar) = first.addingReportingOverflow(
                Int64(done / format.channelCount))
            let request = InputVideoRequest.sound(
                first: start, count: part.count / format.channelCount)
            guard !isTooFar, start >= 0 else {
                throw RunnerFailure(code: .badRequest, message: "the samples are out of range")
            }
            try exchange.request(request) { reply, received throws(RunnerFailure) in
                guard case .sound = reply else { throw Self.mismatch }
                let room = UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: part))
                let file = try received.descriptor(.reusedBase)
                guard (try? file.fill(room, at: 0)) == room.count else { throw Self.unreadable }
            }
            done += part.count
        }
    }

    private static let mismatch = RunnerFailure(
        code: .badInput, message: "the host supplied something other than what was requested")
    private static let unreadable = RunnerFailure(
        code: .badInput, message: "the host supplied too few bytes")
}
