// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

/// Makes the input of an edit that an application makes itself.
struct ContentEditingInputMaker: Sendable {
    let renderer: Renderer
    let options: ContentEditingInputRequestOptions

    /// Renders what the application gets, into a folder of its own.
    ///
    /// - Throws: `HostError`, `LibraryError`, naming the asset.
    func input(forAsset identifier: String) async throws -> ContentEditingInput {
        do {
            try report(0)
            let history = try renderer.library.history(ofAsset: identifier)
            var input = try placed(history)
            let plan = try renderer.planner.plan(input.below, of: history)
            var media = InputMedia(renderer: renderer)
            if input.mediaType == .video {
                input.files = try ContentEditingFiles(in: PrivateFolder(for: .edit))
                media.video = try await video(of: input, plan)
            } else {
                let (files, still) = try await files(of: plan)
                input.files = files
                if let still, let video = try motion(of: input) {
                    media.livePhoto = LivePhoto(
                        still, video,
                        resources: try AssetResource.ofLivePhoto(
                            history.asset, isEdited: !input.below.isEmpty, in: renderer.library))
                }
            }
            input.hostValue = media
            try report(1)
            return input
        } catch {
            // A runner that was stopped for the cancellation has not failed.
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

    /// The video that the edit starts from: the original, the current version, or one that is rendered.
    private func video(of input: ContentEditingInput, _ plan: StatePlan) async throws -> AssetVideo
    {
        let identifier = input.asset.localIdentifier
        if input.below.isEmpty {
            return try AssetVideo(
                plan.originalResource,
                renderer.library.openOriginal(plan.originalResource, for: .copying))
        }
        if let stored = input.below.last?.current, renderer.library.containsBlob(stored.blob) {
            let file = try renderer.library.openBlob(
                stored.blob, ofAsset: identifier, for: .copying)
            return try AssetVideo(stored, file, of: plan.originalResource)
        }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let made = try await renderer.picture(of: plan, settings)
        return try AssetVideo(
            made.bytes, settings.format, made.size,
            duration: made.duration ?? plan.originalFacts.video?.duration ?? 0)
    }

    /// The video that belongs to the input's still: the original's, or the current one. Of a state between them none is
    /// kept.
    private func motion(of input: ContentEditingInput) throws -> AssetVideo? {
        let history = input.history
        guard history.hasMotion, let original = history.pairedVideo else { return nil }
        if input.below.isEmpty {
            return try AssetVideo(original, renderer.library.openOriginal(original, for: .copying))
        }
        guard input.below.count == history.chain.count,
            let stored = history.motion?.chain.last?.current
        else { return nil }
        let file = try renderer.library.openBlob(
            stored.blob, ofAsset: history.asset.localIdentifier, for: .copying)
        return try AssetVideo(stored, file, of: original)
    }

    /// Reduces the full-size picture: no edit is run twice.
    private func displaySizeImage(
        ofFileAt path: String, _ plan: StatePlan
    ) async throws -> (DisplaySizeImage, AssetImage) {
        let base = Renderer.Base(
            bytes: try OpenFile.reading(path), kind: .encoded(.tiff))
        let pixels = try await renderer.run(
            [], over: base, of: plan, RawOutput(longerSide: ExtensionHost.displaySize))
        let profile = try pixels.profile.map { try $0.read(count: try $0.byteCount()) }
        let display = DisplaySizeImage(
            layout: pixels.layout,
            originalProfile: pixels.layout.profile == .original ? profile : nil,
            data: try pixels.buffer.memory.read(count: pixels.layout.byteCount))
        return (display, try AssetImage(pixels))
    }
}

extension ContentEditingFiles {
    /// What lies, or will lie, in a folder that goes with the last that refers to it.
    convenience init(
        fullSizeImage: URL? = nil, displaySizeImage: DisplaySizeImage? = nil,
        in folder: PrivateFolder
    ) {
        self.init(
            fullSizeImage: fullSizeImage, displaySizeImage: displaySizeImage,
            folder: URL(fileURLWithPath: folder.path, isDirectory: true), owner: folder)
    }
}
