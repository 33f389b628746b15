// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Foundation

/// A controller that describes the media of its input in its recipe, one line each, and changes nothing.
final class Player: FrameProcessingController {
    static let identifier = "org.example.player"
    static let version = "1.0"

    private var input: ContentEditingInput?
    private var seen = "player\n"

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == Self.identifier
    }

    func startContentEditing(with input: ContentEditingInput, placeholderImage: Image) throws {
        self.input = input
        seen += "style \(input.playbackStyle.rawValue)\n"
        if let video = try input.audiovisualAsset { try see(video, as: "video") }
        if let livePhoto = try input.livePhoto {
            let image = try livePhoto.image
            seen += "still \(image.width) \(image.height) \(try image.pixels().prefix(3))\n"
            seen += "photo \(livePhoto.photoTime.map { "\($0)" } ?? "-")\n"
            try see(livePhoto.video, as: "motion")
        }
    }

    private func see(_ video: InputVideo, as name: String) throws {
        var times: [Double] = []
        var time: Double? = 0
        while let now = time {
            let frame = try video.frame(at: now)
            guard frame.image.width == video.width, frame.image.height == video.height,
                try frame.image.pixels().count == video.width * video.height * 3
            else { throw EditingExtensionError(code: .failed, message: "a frame of another size") }
            times.append(frame.time)
            time = frame.nextTime
        }
        let samples = try video.sound.map { sound in
            try sound.samples(from: 0, count: Int(video.duration * Double(sound.sampleRate)))
        }
        let peak = samples?.map(abs).max() ?? 0
        seen += "\(name) \(video.width) \(video.height) \(video.duration) \(times.count) "
        seen += "\(times.last ?? -1) \(video.sound?.sampleRate ?? 0) "
        seen += "\(samples?.count ?? 0) \(peak)\n"
    }

    func renderPreview(_ request: PreviewRequest) throws -> Image { try request.image() }

    func processFrame(_ frame: VideoFrame) throws -> Image {
        guard let input, try input.audiovisualAsset == nil, try input.livePhoto == nil,
            frame.nextTime == nil
        else {
            throw EditingExtensionError(
                code: .failed, message: "a controller that renders can read the video")
        }
        return frame.image
    }

    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        guard let input else { return completionHandler(.success(nil)) }
        let output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = AdjustmentData(
            formatIdentifier: Self.identifier, formatVersion: "1.0", data: Data(seen.utf8))
        if input.mediaType == .image {
            output.image = try input.fullSizeImage(access: .sequential)
        }
        completionHandler(.success(output))
    }

    func cancelContentEditing() {}
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Player.self, host: host)
}
