// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Vips

/// The context of one call of a `PhotoFilter`: scale, time, capture settings, cancellation and resources.
public struct PhotoFilterContext: Sendable {
    /// The image's width divided by the photo's actual width. Multiply lengths in pixels in a recipe by it.
    public let scale: Double
    /// The presentation time in seconds from the start of the video; 0 for a photo.
    public let time: Double
    /// The duration of the video in seconds; 0 for a photo.
    public let duration: Double

    /// The capture time of the still, in seconds from the start of a Live Photo's video. Nil for other media, and
    /// if unknown.
    public let stillTime: Double?

    /// The capture settings of the photo.
    public var capture: Capture { input?.capture ?? Capture() }

    private let input: ContentEditingInput?
    private let result = FilterResult()

    /// Creates a context for calling a filter without a host. It is never cancelled, and ignores progress.
    public init(
        scale: Double, time: Double = 0, duration: Double = 0, stillTime: Double? = nil
    ) {
        self.init(
            scale: scale, time: time, duration: duration, stillTime: stillTime, input: nil)
    }

    init(
        scale: Double, time: Double = 0, duration: Double = 0, stillTime: Double? = nil,
        input: ContentEditingInput?
    ) {
        self.stillTime = stillTime
        self.scale = scale
        self.time = time
        self.duration = duration
        self.input = input
    }

    /// True if the edit was cancelled. Poll it in long loops. May be read on any thread.
    public var isCancelled: Bool { input?.isCancelled ?? false }

    /// Throws an error if the edit was cancelled. May be called on any thread.
    ///
    /// - Throws: `EditingExtensionError` with `cancelled`.
    public func checkCancellation() throws { try input?.checkCancellation() }

    /// Reports the fraction done, 0...1; see `ContentEditingInput.report(progress:)`. May be called on any thread.
    public func report(progress: Double) { input?.report(progress: progress) }

    /// Returns the bytes of the file that a parameter of type `file` refers to; see `ContentEditingInput.file(_:)`. May
    /// be called on any thread.
    ///
    /// - Throws: `EditingExtensionError` if no parameter of this edit names such a file.
    public func file(_ value: String) throws -> UnsafeRawBufferPointer {
        guard let input else {
            throw EditingExtensionError(
                code: .unsupported, message: "there is no host that has files")
        }
        return try input.file(value)
    }

    /// The colour profile of the returned image as the filter set it. Nil means that of the image passed in.
    public var profile: OutputProfile? { result.profile.withLock { $0 } }

    /// Sets the colour profile of the returned image. Without a call, it is that of the image passed in.
    ///
    /// Frames of videos are always sRGB: the edit fails if this is called for one.
    public func setProfile(_ profile: OutputProfile) { result.profile.withLock { $0 = profile } }

    /// The number of threads to compute on, at least 1. May be read on any thread.
    public var threadCount: Int { input?.threadCount ?? max(1, VipsLibrary.concurrency) }

    /// The folder for temporary files, and its size limit. May be read on any thread.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the host offers no such folder.
    public var temporarySpace: TemporarySpace {
        get throws {
            guard let input else {
                throw EditingExtensionError(
                    code: .unsupported, message: "there is no host that offers temporary space")
            }
            return try input.temporarySpace
        }
    }
}

/// What a filter returns besides the image.
private final class FilterResult: Sendable {
    let profile = Mutex<OutputProfile?>(nil)
}
