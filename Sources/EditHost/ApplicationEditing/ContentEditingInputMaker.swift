// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerHost
import RunnerProtocol

/// Creates the input of an application's own edit.
struct ContentEditingInputMaker: Sendable {
    let renderer: Renderer
    let library: PhotoLibrary
    let options: ContentEditingInputRequestOptions

    /// Renders the input into a private folder.
    ///
    /// - Throws: `HostError`, `LibraryError`, with the asset.
    func input(forAsset identifier: String) async throws -> ContentEditingInput {
        do {
            try report(0)
            let history = try library.history(ofAsset: identifier)
            var input = try placed(history)
            var plan = try renderer.planner.plan(input.below, of: history)
            if try lacksOriginal(input, plan) {
                input = try ContentEditingInput(history: history, placement: .appending)
                plan = try renderer.inputPlan(input.below, of: history, in: library)
            }
            var media = InputMedia(renderer: renderer)
            if input.mediaType == .video {
                input.files = try ContentEditingFiles(in: PrivateFolder(for: .edit))
                media.video = try await renderer.video(
                    after: input.below, of: history, in: library, plan, for: .copying)
            } else {
                let (files, still) = try await files(of: plan)
                input.files = files
                if let still, let video = try motion(of: input) {
                    media.livePhoto = LivePhoto(
                        still, video,
                        resources: try AssetResource.ofLivePhoto(
                            history.asset, isEdited: !input.below.isEmpty, in: library))
                }
            }
            input.hostValue = media
            try report(1)
            return input
        } catch {
            // A runner that was terminated by the cancellation has not failed.
            if Task.isCancelled { throw Self.cancelled.naming(asset: identifier) }
            throw (error as? HostError)?.naming(asset: identifier) ?? error
        }
    }

    private static let cancelled = HostError(.cancelled, "the request was cancelled")

    private func report(_ fraction: Double) throws {
        var stop = Task.isCancelled
        if !stop { options.progressHandler?(fraction, &stop) }
        if stop { throw Self.cancelled }
    }

    private func placed(_ history: AssetHistory) throws -> ContentEditingInput {
        guard [.image, .video].contains(history.asset.mediaType) else {
            throw HostError(
                .unsupportedMediaType,
                "assets of type \(history.asset.mediaType.name) can be edited only with an "
                    + "extension"
            )
        }
        let continues =
            history.chain.last.map {
                $0.isEnabled && options.canHandleAdjustmentData($0.adjustmentData)
            } ?? false
        return try ContentEditingInput(
            history: history, placement: continues ? .replacingLast : .appending)
    }

    /// Returns whether a continued edit of a video would start from its original, but the original is unavailable. The
    /// input is then the current version, without a recipe.
    private func lacksOriginal(_ input: ContentEditingInput, _ plan: StatePlan) throws -> Bool {
        guard input.replaced != nil else { return false }
        let previous = input.below.last?.current
        if let previous, library.containsBlob(previous.blob) { return false }
        return try renderer.currentVideo(insteadOf: plan, of: input.history, in: library) != nil
    }

    private func files(
        of plan: StatePlan
    ) async throws -> (ContentEditingFiles, still: AssetImage?) {
        let folder = try PrivateFolder(for: .edit)
        let path = "\(folder.path)/full-size.tif"
        let picture = try await renderer.picture(of: plan, .exchange)
        try NewFile.make(path, with: OutgoingFile(picture.bytes))
        var display: (DisplaySizeImage, AssetImage)?
        if !options.skipsDisplaySizeImage {
            try report(0.5)
            display = try await displaySizeImage(ofFileAt: path, plan)
        }
        let files = ContentEditingFiles(
            fullSizeImage: URL(fileURLWithPath: path), displaySizeImage: display?.0, in: folder)
        return (files, display?.1)
    }

    /// Returns the video that matches the input's still: the original's or the current one. Nil for a state in between,
    /// whose video is not stored.
    private func motion(of input: ContentEditingInput) throws -> AssetVideo? {
        let history = input.history
        guard history.hasMotion, let original = history.pairedVideo else { return nil }
        if input.below.isEmpty {
            return try AssetVideo(original, library.openOriginal(original, for: .copying))
        }
        guard input.below.count == history.chain.count,
            let stored = history.motion?.chain.last?.current
        else { return nil }
        let file = try library.openBlob(
            stored.blob, ofAsset: history.asset.localIdentifier, for: .copying)
        return try AssetVideo(stored, file, of: original)
    }

    /// Downscales the full-size picture instead of re-running its edits.
    private func displaySizeImage(
        ofFileAt path: String, _ plan: StatePlan
    ) async throws -> (DisplaySizeImage, AssetImage) {
        let base = Renderer.Base(
            bytes: try OpenFile.reading(path), kind: .encoded(.tiff))
        let pixels = try await renderer.run(
            [], over: base, of: plan,
            UncompressedPixelsOutput(longerSide: ExtensionHost.displaySize))
        let profile = try pixels.profile.map { try $0.read(count: try $0.byteCount()) }
        let display = DisplaySizeImage(
            layout: pixels.layout,
            originalProfile: pixels.layout.profile == .original ? profile : nil,
            data: try pixels.buffer.memory.read(count: pixels.layout.byteCount))
        return (display, try AssetImage(pixels))
    }
}
