// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension EditingSession {
    /// Whether the edit changes the motion of a Live Photo, too.
    public var editsMotion: Bool { work.edit.preparation.editsMotion(of: work.edit.input) }

    /// Renders the motion of a Live Photo with the current values, to be played before the edit is finished.
    ///
    /// The video is an MP4 that browsers play, with H.264 and AAC. Its frames are reduced before they are edited, and nothing
    /// is stored in the library. Previews do not wait for it.
    ///
    /// - Parameter longerSide: the longer side of the still's original, in pixels, to whose scale the frames are reduced.
    ///   They are never enlarged.
    /// - Throws: `HostError`, with `unsupportedMediaType` unless ``editsMotion`` is true, and with `blockedFormat` if the
    ///   media runner is missing; `LibraryError`; `CancellationError` if the task is cancelled.
    public func motionPreview(longerSide: Int) async throws -> AssetVideo {
        guard editsMotion else {
            throw HostError(
                .unsupportedMediaType, "this edit changes no motion", asset: assetIdentifier)
        }
        let motion = try await work.perform { try await $0.motion() }
        return try await withTaskExecutorPreference(WaitingThread.executor) {
            try await motion.video(longerSide: longerSide)
        }
    }
}

extension EditingSessionWork {
    /// Returns the motion with the current values.
    fileprivate func motion() async throws -> EditedMotion {
        // An extension returns its recipe only at the end, and the session continues.
        var preparation = edit.preparation
        preparation.progressHandler = nil
        let (copy, current) = (try await preparation.start(assetIdentifier), parameters)
        do {
            if !current.isEmpty {
                _ = try await copy.session.setParameters(
                    current, in: preparation.library, from: edit.session.files.known)
            }
            let motion = EditedMotion(of: copy, step: try await copy.recipeStep())
            await copy.close()
            return motion
        } catch {
            await copy.close()
            throw error
        }
    }
}
