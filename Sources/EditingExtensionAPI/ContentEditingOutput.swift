// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import FoundationEssentials
import Synchronization
import Vips

/// What an edit ends in: a recipe, and either a lazy image or a file.
///
/// May be filled on any thread.
public final class ContentEditingOutput: Sendable {
    private struct State {
        var adjustmentData: AdjustmentData?
        var image: Image?
        var profile: OutputProfile?
        var renderedType: RenderedContentType?
    }

    /// The input that it was made from.
    public let contentEditingInput: ContentEditingInput
    private let state = Mutex(State())

    /// Makes an empty output from the input that the edit started with.
    public init(contentEditingInput: ContentEditingInput) {
        self.contentEditingInput = contentEditingInput
    }

    /// The recipe. Required.
    public var adjustmentData: AdjustmentData? {
        get { state.withLock { $0.adjustmentData } }
        set { state.withLock { $0.adjustmentData = newValue } }
    }

    /// The picture, in the conventions of the input's images. The host reads its pixels later,
    /// on threads of its own. Nil where a file was written instead, and for a video, whose frames a
    /// ``FrameProcessingController`` makes.
    public var image: Image? {
        get { state.withLock { $0.image } }
        set { state.withLock { $0.image = newValue } }
    }

    /// The output's colour profile; nil: the input's.
    public var profile: OutputProfile? {
        get { state.withLock { $0.profile } }
        set { state.withLock { $0.profile = newValue } }
    }

    /// Where to write a JPEG file, for an edit that gives a file instead of an image.
    public var renderedContentURL: URL {
        get throws { try renderedContentURL(for: .jpeg) }
    }

    /// Where to write a file of a type. The pixels must be upright, the orientation absent or 1.
    public func renderedContentURL(for type: RenderedContentType) throws -> URL {
        let url = try contentEditingInput.renderedContentURL(for: type)
        state.withLock { $0.renderedType = type }
        return url
    }

    /// The type that the host will store.
    public var defaultRenderedContentType: RenderedContentType {
        contentEditingInput.defaultRenderedContentType
    }

    /// The types of files that the host reads.
    public var supportedRenderedContentTypes: [RenderedContentType] { [.jpeg, .png, .tiff] }

    /// Whether there is neither a recipe nor a picture in it.
    var isEmpty: Bool {
        state.withLock { state in
            state.adjustmentData == nil && state.image == nil && state.renderedType == nil
        }
    }

    /// Lends the output in the form of the C contract.
    func withC(_ body: (ee_output) -> Void) throws(EditingExtensionError) {
        let state = state.withLock { $0 }
        guard let adjustment = state.adjustmentData else {
            throw EditingExtensionError(
                code: .failed, message: "the output has no adjustment data")
        }
        let isVideo = contentEditingInput.mediaType == .video
        guard state.image != nil || state.renderedType != nil || isVideo else {
            throw EditingExtensionError(
                code: .failed, message: "the output has neither an image nor a rendered file")
        }
        let type = state.image == nil ? state.renderedType?.rawValue : nil
        withExtendedLifetime(state.image) {
            adjustment.withC { adjustment in
                type.withOptionalCString { type in
                    (state.profile?.rawValue).withOptionalCString { profile in
                        var output = ee_output()
                        output.struct_size = UInt32(MemoryLayout<ee_output>.size)
                        output.adjustment = adjustment
                        output.image = state.image?.pointer
                        output.rendered_content_type = type
                        output.profile = profile
                        body(output)
                    }
                }
            }
        }
    }
}

extension String? {
    fileprivate func withOptionalCString(_ body: (UnsafePointer<CChar>?) -> Void) {
        if let text = self { text.withCString(body) } else { body(nil) }
    }
}
