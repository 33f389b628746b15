// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The result of exporting one asset.
public struct ExportResult: Sendable {
    /// The local identifier of the asset.
    public let assetIdentifier: String
    /// The path of the asset's own file, or the error that prevented the export.
    public let path: Result<String, any Error>
    /// The reason why the files were written or skipped; nil if the export failed.
    public let reason: ExportReason?
    /// The differences of the extensions since the last export, if the picture was rendered again.
    public let change: String?
    /// The state of the stored picture that was exported.
    public let picture: StoredPicture
    /// The paths of the files beside the asset's own: the video of a Live Photo, and companions.
    public let companions: [String]
    /// The paths of removed files of an earlier export, which these files replace. If the name of the asset
    /// changed, they are removed with ``ExportOptions/prunes`` only.
    public let removed: [String]
    /// The paths of files of an earlier export that were kept, because they have other names or were modified.
    public let kept: [String]
    /// True for a video to which format, quality, size, sharpening and profile were not applied.
    public let isLeftVideo: Bool
    /// Warnings for the user, such as metadata of the original that is missing in the new file, or a modified
    /// file of an earlier export.
    public let warnings: [String]

    /// The state of a stored picture.
    public enum StoredPicture: Sendable {
        /// It is up to date, or not needed.
        case upToDate
        /// It is stale, and the options keep it.
        case stale
        /// It cannot be rendered again, so that its state is not known.
        case unrenderable(any Error)
    }

    init(_ identifier: String, failure: any Error) {
        assetIdentifier = identifier
        path = .failure(failure)
        reason = nil
        change = nil
        picture = .upToDate
        companions = []
        removed = []
        kept = []
        isLeftVideo = false
        warnings = []
    }

    init(
        _ identifier: String, _ paths: [String], _ reason: ExportReason, removed: [String] = [],
        kept: [String] = [], isLeftVideo: Bool, warnings: [String],
        of planned: Exporter.PlannedExport
    ) {
        assetIdentifier = identifier
        path = .success(paths.first ?? "")
        self.reason = reason
        change = planned.change
        picture = planned.picture
        companions = Array(paths.dropFirst())
        self.removed = removed
        self.kept = kept
        self.isLeftVideo = isLeftVideo
        self.warnings = warnings
    }
}
