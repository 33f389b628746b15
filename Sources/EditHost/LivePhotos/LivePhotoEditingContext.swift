// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// An edit of a Live Photo that a program makes itself, with one function for the still and for every frame of the video.
///
/// ```swift
/// let context = LivePhotoEditingContext(livePhotoEditingInput: input)
/// context?.frameProcessor = { frame in try negative(of: frame.image) }
/// var output = ContentEditingOutput(contentEditingInput: input)
/// output.adjustmentData = recipe
/// try await context?.saveLivePhoto(to: output)
/// ```
///
/// It can be used from any thread. What is set while work is under way counts from the next call on.
public final class LivePhotoEditingContext: Sendable {
    private struct State {
        var frameProcessor: LivePhotoFrameProcessor?
        var audioVolume: Float = 1
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextTask = 0
    }

    private let state = Mutex(State())
    private let work: LivePhotoWork

    /// Begins the edit of a Live Photo. Nothing is decoded yet.
    ///
    /// - Parameter input: as a host gave it (`requestContentEditingInput`).
    /// - Returns: nil where the input is of no Live Photo, or the edits that it starts from have taken its motion away.
    public init?(livePhotoEditingInput input: ContentEditingInput) {
        guard let work = LivePhotoWork(input) else { return nil }
        self.work = work
    }

    /// How long the video is, in seconds.
    public var duration: Double { work.duration }
    /// When the still was taken, in seconds from the beginning of the video; nil where the files do not say.
    public var photoTime: Double? { work.photoTime }
    /// The EXIF orientation of all frames: always 1, they are upright.
    public var orientation: Int { 1 }
    /// What changes the frames; nil: they stay as they are. Setting it starts no work.
    public var frameProcessor: LivePhotoFrameProcessor? {
        get { state.withLock { $0.frameProcessor } }
        set { state.withLock { $0.frameProcessor = newValue } }
    }
    /// How loud the sound is relative to what it was, 0...1, at first 1; at 0 there is none. Where it is not 1 the sound is
    /// decoded, and stored in a MOV as samples of 16 bits; else it is copied.
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

    /// Draws the edit for somebody who looks at it.
    ///
    /// - Parameter targetSize: the box that still and video are fitted into, in pixels; nothing is enlarged.
    /// - Returns: the edited Live Photo, of which nothing is stored.
    /// - Throws: `HostError`, with `cancelled` after ``cancel()`` and `invalidRenderedContent` where the frame processor gave
    ///   nothing, or what is not of its frame's kind; what the frame processor throws.
    public func prepareLivePhotoForPlayback(
        withTargetSize targetSize: PixelSize
    ) async throws -> LivePhoto {
        let edit = edit
        let work = work
        return try await cancellable { try await work.playback(edit, fitting: targetSize) }
    }

    /// Writes the edited Live Photo to where the output says. Set its `adjustmentData`, and commit it by a change request.
    ///
    /// - Throws: as ``prepareLivePhotoForPlayback(withTargetSize:)``; nothing is written then.
    public func saveLivePhoto(to output: ContentEditingOutput) async throws {
        let edit = edit
        let work = work
        try await cancellable { try await work.save(edit, to: output) }
    }

    /// Ends all work that is under way, which fails with `cancelled`.
    public func cancel() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    private var edit: LivePhotoWork.Edit {
        state.withLock {
            LivePhotoWork.Edit(processor: $0.frameProcessor, volume: Double($0.audioVolume))
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
