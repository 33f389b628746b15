// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Vips

/// Cancellation, progress and resources of long-running work. All members may be used on any thread, in sessions
/// and batches alike.
///
/// A host without this capability cancels only with `cancelContentEditing`, and shows no progress.
extension ContentEditingInput {
    /// True if the edit was cancelled or has ended. Reading it is fast enough for long loops. Once it is true, it stays
    /// true.
    public var isCancelled: Bool {
        guard let host = currentHost else { return true }
        return host.work?.isCancelled ?? false
    }

    /// Throws an error if the edit was cancelled or has ended.
    ///
    /// - Throws: `EditingExtensionError` with `cancelled`.
    public func checkCancellation() throws {
        guard isCancelled else { return }
        throw EditingExtensionError(code: .cancelled, message: "the edit was cancelled")
    }

    /// Reports the progress of the edit.
    ///
    /// - Parameter progress: The fraction done, clamped to 0...1. NaN and values below the last one reported are
    ///   ignored.
    public func report(progress: Double) { currentHost?.work?.report(progress) }

    /// The number of threads to compute on, at least 1.
    public var threadCount: Int {
        currentHost?.work?.threadCount ?? max(1, VipsLibrary.concurrency)
    }

    /// The folder for temporary files, and its size limit.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the host offers no such folder.
    public var temporarySpace: TemporarySpace {
        get throws {
            guard let work = currentHost?.work else {
                throw EditingExtensionError(
                    code: .unsupported, message: "the host offers no temporary space")
            }
            let (path, limit) = try work.temporarySpace()
            return TemporarySpace(
                folder: URL(filePath: path), byteLimit: limit == .max ? nil : limit)
        }
    }
}
