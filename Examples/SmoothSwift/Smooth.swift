// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Reduces noise over time: each frame of a video becomes the mean of itself and its two neighbours. It
/// therefore returns a frame once the next one has arrived.
final class Smooth: VideoEditingController {
    static let identifier = "com.example.smooth"
    static let version = "1.0"

    private static let recipe = AdjustmentData(
        formatIdentifier: identifier, formatVersion: version, data: .init("{}".utf8))

    private var input: ContentEditingInput?
    /// The frames that are still needed, up to three.
    private var frames: [(image: Image, time: Int64)] = []
    private var hasEnded = false

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == Self.identifier
            && adjustmentData.formatVersion == Self.version
    }

    func startContentEditing(with input: ContentEditingInput, placeholderImage: Image) {
        self.input = input
    }

    /// Shows the unchanged frame, because a preview has no neighbouring frames.
    func renderPreview(_ request: PreviewRequest) throws -> Image { try request.image() }

    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        guard let input else { return completionHandler(.success(nil)) }
        let output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = Self.recipe
        completionHandler(.success(output))
    }

    func cancelContentEditing() {}

    func putFrame(_ frame: VideoFrame?) throws {
        guard let frame else {
            hasEnded = true
            return
        }
        frames.append((try frame.image.copiedToMemory(), frame.timeValue))
        isNew = true
    }

    /// Whether a frame has arrived since the last one was returned.
    private var isNew = false

    func takeFrame() throws -> GeneratedVideoFrame? {
        // The frame before the last one, or the last one at the end of the video.
        let index = frames.count - (hasEnded ? 1 : 2)
        guard isNew || hasEnded, index >= 0 else { return nil }
        let around = frames.suffix(3)
        let made = GeneratedVideoFrame(
            image: try Self.mean(around.map(\.image)), timeValue: frames[index].time)
        frames = hasEnded ? [] : Array(frames.suffix(2))
        isNew = false
        return made
    }

    private static func mean(_ images: [Image]) throws -> Image {
        let sum = try images[0].applying("sum", ["in": .images(images)])
        return try sum.applying(
            "linear", ["a": .doubles([1 / Double(images.count)]), "b": 0.5, "uchar": true])
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Smooth.self, host: host)
}
