// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import FoundationEssentials
import Synchronization
import Vips

/// The result of an edit: a recipe, and either a lazy image or a file.
///
/// Its properties may be set on any thread.
public final class ContentEditingOutput: Sendable {
    private struct State {
        var adjustmentData: AdjustmentData?
        var image: Image?
        var profile: OutputProfile?
        var renderedType: RenderedContentType?
    }

    /// The input that the output was made from.
    public let contentEditingInput: ContentEditingInput
    private let state = Mutex(State())

    /// Creates an empty output from the input that the edit started with.
    public init(contentEditingInput: ContentEditingInput) {
        self.contentEditingInput = contentEditingInput
    }

    /// The recipe of the edit. Required.
    public var adjustmentData: AdjustmentData? {
        get { state.withLock { $0.adjustmentData } }
        set { state.withLock { $0.adjustmentData = newValue } }
    }

    /// The edited picture, in the same format as the input's images. The host reads its pixels later, on its own
    /// threads.
    ///
    /// Leave it nil if a file was written instead, and for a video, whose frames come from a
    /// ``FrameProcessingController``.
    public var image: Image? {
        get { state.withLock { $0.image } }
        set { state.withLock { $0.image = newValue } }
    }

    /// The output's colour profile. Nil means the input's profile.
    public var profile: OutputProfile? {
        get { state.withLock { $0.profile } }
        set { state.withLock { $0.profile = newValue } }
    }

    /// The location for a JPEG file, for an edit that writes a file instead of returning an image.
    ///
    /// - Throws: `EditingExtensionError` if the host offers no location, or with `cancelled` after the edit has ended.
    public var renderedContentURL: URL {
        get throws { try renderedContentURL(for: .jpeg) }
    }

    /// Returns the location for a rendered file of a type. The file's pixels must be upright, and its EXIF orientation
    /// absent or 1.
    ///
    /// - Throws: `EditingExtensionError` if the host does not accept the type, or with `cancelled` after the edit has
    ///   ended.
    public func renderedContentURL(for type: RenderedContentType) throws -> URL {
        let url = try contentEditingInput.renderedContentURL(for: type)
        state.withLock { $0.renderedType = type }
        return url
    }

    /// The file type in which the host will store the rendered picture.
    public var defaultRenderedContentType: RenderedContentType {
        contentEditingInput.defaultRenderedContentType
    }

    /// The file types that the host reads.
    public var supportedRenderedContentTypes: [RenderedContentType] { [.jpeg, .png, .tiff] }

    /// Whether the output has neither a recipe nor a picture.
    var isEmpty: Bool {
        state.withLock { state in
            state.adjustmentData == nil && state.image == nil && state.renderedType == nil
        }
    }

    /// Calls a closure with the output as a structure of the C contract, valid during the call.
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
