// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library

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
            let (files, still) = try await files(of: plan)
            input.files = files
            if let still, let video = try motion(of: input) {
                input.hostValue = LivePhoto(still, video)
            }
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
        guard history.asset.mediaType == .image else {
            throw HostError(
                .unsupportedMediaType,
                "an asset of type \(history.asset.mediaType.name) is not edited without an extension"
            )
        }
        let continues =
            history.chain.last.map { options.canHandleAdjustmentData($0.adjustmentData) } ?? false
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
            fullSizeImage: URL(fileURLWithPath: path), displaySizeImage: display?.0,
            folder: URL(fileURLWithPath: folder.path, isDirectory: true), owner: folder)
        return (files, display?.1)
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
