// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Vips

/// For work that takes long: whether it is still wanted, how far it is, and what it may use. All may be
/// used on any thread, in sessions and batches alike. A host that does not know of it cancels only with
/// `cancelContentEditing`, and shows no progress.
extension ContentEditingInput {
    /// Whether the edit was cancelled, or has ended. Cheap; to be polled by loops that take long. Once
    /// true it stays true.
    public var isCancelled: Bool {
        guard let host = currentHost else { return true }
        return host.work?.isCancelled ?? false
    }

    /// Throws where the edit was cancelled, or has ended.
    ///
    /// - Throws: `EditingExtensionError` with `cancelled`.
    public func checkCancellation() throws {
        guard isCancelled else { return }
        throw EditingExtensionError(code: .cancelled, message: "the edit was cancelled")
    }

    /// Tells how much of the edit is done.
    ///
    /// - Parameter progress: 0...1; what is below or above counts as these, NaN and less than was told
    ///   before is ignored.
    public func report(progress: Double) { currentHost?.work?.report(progress) }

    /// How many threads to compute on, at least 1.
    public var threadCount: Int {
        currentHost?.work?.threadCount ?? max(1, VipsLibrary.concurrency)
    }

    /// Where files may be written that are needed for a while.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` where there is no such place.
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
