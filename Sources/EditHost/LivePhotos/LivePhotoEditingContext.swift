// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol
import Synchronization

/// An application's own edit of a Live Photo, with one function for the still and every frame of the video.
///
/// ```swift
/// let context = LivePhotoEditingContext(livePhotoEditingInput: input)
/// context?.frameProcessor = { frame in try negative(of: frame.image) }
/// var output = ContentEditingOutput(contentEditingInput: input)
/// output.adjustmentData = recipe
/// try await context?.saveLivePhoto(to: output)
/// ```
///
/// Can be used from any thread. Properties set while a call is in flight apply to the next call.
public final class LivePhotoEditingContext: Sendable {
    private struct State {
        var frameProcessor: LivePhotoFrameProcessor?
        var audioVolume: Float = 1
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextTask = 0
    }

    private let state = Mutex(State())
    private let work: LivePhotoRenderer

    /// Creates an editing context. Decodes nothing yet.
    ///
    /// - Parameter input: An input from a host (`requestContentEditingInput`).
    /// - Returns: Nil if the input is not a Live Photo, or an edit below has hidden its motion.
    public init?(livePhotoEditingInput input: ContentEditingInput) {
        guard let work = LivePhotoRenderer(input) else { return nil }
        self.work = work
    }

    /// The duration of the video, in seconds.
    public var duration: Double { work.duration }
    /// The time of the still, in seconds from the beginning of the video; nil if the files do not contain it.
    public var photoTime: Double? { work.photoTime }
    /// The EXIF orientation of all frames: always 1, because they are upright.
    public var orientation: Int { 1 }
    /// The function that edits the frames, or nil to leave them unchanged. Setting it starts no work.
    public var frameProcessor: LivePhotoFrameProcessor? {
        get { state.withLock { $0.frameProcessor } }
        set { state.withLock { $0.frameProcessor = newValue } }
    }
    /// The volume of the sound relative to the original, 0...1; 1 by default. At 0 the sound is removed. At 1 it is
    /// copied. In between it is decoded, and stored as 16-bit PCM in a MOV file.
    public var audioVolume: Float {
        get { state.withLock { $0.audioVolume } }
        set { state.withLock { $0.audioVolume = min(1, max(0, newValue)) } }
    }

    /// The still at full size, before the edit.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    public var fullSizeImage: AssetImage {
        get async throws {
            let work = work
            return try await cancellable { try await work.still(longerSide: nil).image }
        }
    }

    /// Renders the edit for playback.
    ///
    /// - Parameter targetSize: The box that the still and the video are fitted into, in pixels. Nothing is enlarged.
    /// - Returns: The edited Live Photo, which is not stored.
    /// - Throws: `HostError`, with `cancelled` after ``cancel()``, and `invalidRenderedContent` if the frame processor
    ///   returns nil, or an image that does not match its frame; any error of the frame processor.
    public func prepareLivePhotoForPlayback(
        withTargetSize targetSize: PixelSize
    ) async throws -> LivePhoto {
        let edit = edit
        let work = work
        return try await cancellable { try await work.playback(edit, fitting: targetSize) }
    }

    /// Writes the edited Live Photo to the URLs of the output. To commit it, set the output's `adjustmentData` and use
    /// a change request.
    ///
    /// - Throws: The same errors as ``prepareLivePhotoForPlayback(withTargetSize:)``; nothing is written.
    public func saveLivePhoto(to output: ContentEditingOutput) async throws {
        let edit = edit
        let work = work
        try await cancellable { try await work.save(edit, to: output) }
    }

    /// Cancels all calls in flight, which fail with `cancelled`.
    public func cancel() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    private var edit: LivePhotoRenderer.Edit {
        state.withLock {
            LivePhotoRenderer.Edit(processor: $0.frameProcessor, volume: Double($0.audioVolume))
        }
    }

    private func cancellable<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let ending = Task<Void, Never> {
            await withTaskCancellationHandler {
                _ = try? await task.value
            } onCancel: {
                task.cancel()
            }
        }
        let number = state.withLock { state in
            state.nextTask += 1
            state.tasks[state.nextTask] = ending
            return state.nextTask
        }
        defer { state.withLock { $0.tasks[number] = nil } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            guard task.isCancelled else { throw error }
            throw HostError(.cancelled, "the edit was cancelled", asset: work.identifier)
        }
    }
}
