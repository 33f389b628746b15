// SPDX-License-Identifier: Apache-2.0

import Vips

/// Adapts a `PhotoFilter` to the controller protocols.
final class PhotoFilterController<Filter: PhotoFilter>: FrameProcessingController,
    LivePhotoEditingController
{
    static var identifier: String { Filter.identifier }
    static var version: String { Filter.version }

    private var filter = Filter()
    private var input: ContentEditingInput?
    private var stillTime: Double?

    var shouldShowCancelConfirmation: Bool { Filter.shouldShowCancelConfirmation }

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        (try? Filter(adjustmentData)) != nil
    }

    func startContentEditing(
        with input: ContentEditingInput, placeholderImage: Image
    ) throws {
        filter = try input.adjustmentData.map { try Filter($0) } ?? Filter()
        try filter.begin(on: input)
        self.input = input
    }

    func parameters() throws -> [String: ParameterValue] { try filter.parameters() }

    func setParameters(_ values: [String: ParameterValue]) throws {
        var changed = try filter.setting(values)
        try changed.adapt(to: started(), setting: Set(values.keys))
        filter = changed
    }

    func renderPreview(_ request: PreviewRequest) throws -> Image {
        let input = try started()
        let context = PhotoFilterContext(
            scale: request.scale, time: request.time, duration: request.duration, input: input)
        let image = try filter.apply(
            to: request.image(access: filter.access), context: context)
        if let profile = context.profile { try request.setProfile(profile) }
        return image
    }

    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        let input = try started()
        let output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try filter.adjustmentData()
        // The frames of a video are rendered by another controller.
        if input.mediaType != .video {
            let context = PhotoFilterContext(scale: input.fullSizeScale, input: input)
            output.image = try filter.apply(
                to: input.fullSizeImage(access: filter.access), context: context)
            output.profile = context.profile
        }
        // The host would discard the output, and log a late completion.
        try input.checkCancellation()
        completionHandler(.success(output))
    }

    func beginVideo(of livePhoto: EditedLivePhoto) throws { stillTime = livePhoto.stillTime }

    func processFrame(_ frame: VideoFrame) throws -> Image {
        let context = PhotoFilterContext(
            scale: frame.scale, time: frame.time, duration: frame.duration, stillTime: stillTime,
            input: try started())
        let image = try filter.apply(to: frame.image, context: context)
        guard context.profile == nil else {
            throw EditingExtensionError(
                code: .unsupported, message: "the frames of videos are sRGB")
        }
        return image
    }

    static func keptTime(
        _ recipe: AdjustmentData, ofDuration duration: Double
    ) throws -> KeptTime? {
        try Filter(recipe).keptTime(ofDuration: duration)
    }

    // No work continues between calls, so there is nothing to cancel.
    func cancelContentEditing() {}

    private func started() throws -> ContentEditingInput {
        guard let input else {
            throw EditingExtensionError(code: .failed, message: "the edit has not been started")
        }
        return input
    }
}
