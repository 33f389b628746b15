// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension EditingSession {
    /// Whether the edit changes the motion of a Live Photo, too.
    public var editsMotion: Bool {
        implementation.edit.preparation.editsMotion(of: implementation.edit.input)
    }

    /// Renders the motion of a Live Photo with the current values, to be played before the edit is finished.
    ///
    /// The video is an MP4 that browsers play, with H.264 and AAC. Its frames are reduced before they are edited, and
    /// nothing is stored in the library. Previews do not wait for it.
    ///
    /// - Parameter longerSide: The longer side of the still's original, in pixels, to whose scale the frames are
    ///   reduced. They are never enlarged.
    /// - Throws: `HostError`, with `unsupportedMediaType` unless ``editsMotion`` is true, and with `blockedFormat` if
    ///   the media runner is missing; `LibraryError`; `CancellationError` if the task is cancelled.
    public func motionPreview(longerSide: Int) async throws -> AssetVideo {
        guard editsMotion else {
            throw HostError(
                .unsupportedMediaType, "this edit changes no motion", asset: assetIdentifier)
        }
        let (values, files) = try await implementation.perform {
            ($0.parameters, $0.edit.session.files.known)
        }
        // Rendering reads files and the database, which would block the threads that all other tasks share.
        return try await withTaskExecutorPreference(WaitingThread.executor) { [implementation] in
            do {
                let motion = try await implementation.edit.motion(with: values, from: files)
                return try await motion.video(longerSide: longerSide)
            } catch  where Task.isCancelled {
                throw CancellationError()
            }
        }
    }
}
