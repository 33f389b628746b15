// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

extension Renderer {
    /// Returns the plan of the input of an edit above an edit stack.
    ///
    /// If the stack is a video's current one and the video's original is unavailable, the plan starts from the stored
    /// current version. See docs/design/decisions/0031-rendering-of-videos.md.
    /// - Throws: `HostError` with `cannotRender`; `LibraryError`.
    func inputPlan(
        _ below: [Edit], of history: AssetHistory, in library: PhotoLibrary
    ) throws -> StatePlan {
        let plan = try planner.plan(below, of: history)
        guard below.count == history.chain.count,
            let current = try currentVideo(insteadOf: plan, of: history, in: library)
        else { return plan }
        return plan.over(
            current.blob, current.format, [],
            pixelsAreInPlace: planner.keepsPixelsInPlace(history.chain))
    }

    /// Returns the stored current version of a video if a plan starts from its original and that is unavailable;
    /// otherwise nil.
    ///
    /// - Throws: `LibraryError` if the original is damaged.
    func currentVideo(
        insteadOf plan: StatePlan, of history: AssetHistory, in library: PhotoLibrary
    ) throws -> Rendition? {
        guard history.asset.mediaType == .video, plan.base == plan.original,
            let current = history.chain.last?.current, library.containsBlob(current.blob)
        else { return nil }
        do {
            _ = try library.openOriginal(plan.originalResource, for: purpose)
            return nil
        } catch let error as LibraryError where error.isAboutMissingOriginal {
            return current
        }
    }

    /// Returns the video that an edit starts from: the original, the stored version, or one rendered for this purpose.
    ///
    /// - Parameters:
    ///   - below: The edits below.
    ///   - history: The history of a video, or that of the video of a Live Photo.
    ///   - library: The library of the history.
    ///   - plan: The plan of the state after the edits below.
    ///   - purpose: The purpose of reading.
    /// - Throws: `HostError`; `LibraryError`.
    func video(
        after below: [Edit], of history: AssetHistory, in library: PhotoLibrary,
        _ plan: StatePlan, for purpose: ReadingPurpose
    ) async throws -> AssetVideo {
        let identifier = history.asset.localIdentifier
        if below.isEmpty {
            return try AssetVideo(
                plan.originalResource, library.openOriginal(plan.originalResource, for: purpose))
        }
        if let stored = library.storedPicture(of: below) {
            let file = try library.openBlob(stored.blob, ofAsset: identifier, for: purpose)
            return try AssetVideo(stored, file, of: plan.originalResource)
        }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let made = try await picture(of: plan, settings)
        return try AssetVideo(
            made.bytes, settings.format, made.size,
            duration: made.duration ?? plan.originalFacts.video?.duration ?? 0)
    }
}
