// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

extension ExtensionHost {
    /// Returns a list of the tracks and data that edited versions of a video omit, to show to the user before the
    /// edit. Returns `nil` if there are none or the asset is not a video.
    ///
    /// - Throws: `LibraryError`.
    package func losses(
        byEditing identifier: String, in library: PhotoLibrary
    ) async throws -> String? {
        let asset = try library.asset(withLocalIdentifier: identifier)
        guard asset.mediaType == .video, let media = pool.media,
            let original = try library.history(ofAsset: identifier).original
        else { return nil }
        // If the file cannot be opened, the edit reports the reason.
        guard let file = try? library.openOriginal(original, for: .preview),
            let losses = try? await media.withRunner({ runner in
                try await runner.losses(of: file, in: original.format.writtenVideo)
            }), let last = losses.last
        else { return nil }
        let others = losses.dropLast().joined(separator: ", ")
        let list = others.isEmpty ? last : "\(others) and \(last)"
        return "edited versions of this video do not include \(list)"
    }
}

extension Runner {
    fileprivate func losses(of file: OpenFile, in format: MediaFormat) async throws -> [String] {
        let reply = try await send(
            .findLosses(format), [(.base, file)], timeout: timeouts.render)
        guard case .losses(let losses) = reply, losses.count <= 16 else { throw unexpected(reply) }
        return losses
    }
}
