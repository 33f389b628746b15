// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol

extension HostCapability {
    /// The video of the input: `ee_video_reading`.
    static let video: HostCapability = {
        var reading = ee_video_reading()
        reading.describe = { input, video, error in
            guard let video else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                try video.fill(with: ee_video(try input.readableVideo().video()))
            }
        }
        reading.frame = { input, time, frame, next, error in
            guard let frame, let next else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                let found = try input.readableVideo().frame(at: time)
                let made = try input.frame(found)
                try made.withC { try frame.fill(with: $0.pointee) }
                // The caller gets this reference.
                _ = made.image.passRetained()
                // The times in a file are untrusted. If the time did not advance, the extension would read frames
                // forever.
                let following = found.next?.contractSeconds ?? .nan
                next.pointee = following > found.moment.contractSeconds ? following : .nan
            }
        }
        reading.sound = { input, first, count, samples, error in
            guard let samples else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                let video = try input.readableVideo()
                let channels = try video.video().sound?.channelCount ?? 1
                let (total, isTooMany) = count.multipliedReportingOverflow(by: channels)
                guard count >= 0, !isTooMany else {
                    throw RunnerFailure(code: .badRequest, message: "too many samples")
                }
                try video.readSound(
                    first, into: UnsafeMutableBufferPointer(start: samples, count: total))
            }
        }
        return HostCapability(EE_CAPABILITY_VIDEO, reading)
    }()
}

extension ee_video: SizedStructure {
    static var minimumSize: Int { Int(EE_VIDEO_SIZE_1_1) }

    fileprivate init(_ video: InputVideoFacts) {
        let start = FrameIdentity(video.timing, FrameTime(timestamp: video.timing.start))
        self.init()
        width = UInt32(clamping: video.size.width)
        height = UInt32(clamping: video.size.height)
        sample_rate = UInt32(clamping: video.sound?.sampleRate ?? 0)
        channel_count = UInt32(clamping: video.sound?.channelCount ?? 0)
        duration = start.contractDuration
        let livePhoto = LivePhotoVideo(stillTime: video.stillTime, start: video.timing.start)
        still_time = start.contractTime(of: livePhoto) ?? -1
        timescale = start.contractTimescale
    }
}

extension ee_frame: SizedStructure {
    static var minimumSize: Int { Int(EE_FRAME_SIZE_1_1) }
}

extension FrameIdentity {
    /// The presentation time in seconds from the start of the video.
    fileprivate var contractSeconds: Double { Double(contractTime) / Double(contractTimescale) }
}
