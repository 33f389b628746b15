// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// The result of importing one file.
public struct ImportResult: Sendable {
    /// The outcome for an imported file.
    public enum Status: String, Sendable {
        /// A new asset or companion was created.
        case imported
        /// The library already contains the file.
        case duplicate
        /// The photo with this file was in the trash and was restored.
        case restored
        /// The library already contains the file, and its information was updated; or the file replaced a sidecar.
        case updated
        /// The file is not a photo or video, or it is a sidecar without a picture.
        case skipped
        /// The file appears to be a photo or video, but is damaged or not supported.
        case rejected
        /// An earlier import rejected the file, and it was not tried again.
        case rejectedBefore
    }

    /// The path as it was found.
    public let path: String
    /// The local identifier of the new or existing asset; nil if there is none.
    public var assetIdentifier: String?
    /// The role of the file in the asset; nil if it belongs to none.
    public var resourceType: AssetResourceType?
    /// The outcome for the file.
    public internal(set) var status: Status
    /// The reason why the file was skipped or rejected.
    public var error: (any Error)?
    /// Warnings for the user, for example that only the first frame is used.
    public var warnings: [String] = []
    /// The values set in the library that were kept, although the file or its sidecar states others.
    public var kept: [KeptMetadataValue] = []
    /// Whether a move leaves the file, because the library has it only in the trash, or because another file needs it.
    var staysInPlace = false
}
