// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// An error thrown by a library operation.
///
/// Match on ``code``. The other properties are for messages. Unless a code states otherwise, the
/// library is unchanged.
public struct LibraryError: DescribedError {
    /// The kind of failure. Later versions may add codes.
    public enum Code: String, Sendable, CaseIterable {
        /// The folder does not exist or is not a photo library.
        case notALibrary
        /// The destination of a new library or backup is already in use.
        case alreadyExists
        /// The library was written by a newer version of this program, and was not modified.
        case newerSchema
        /// The library's folder contains an unexpected file type, such as a link or a pipe, which
        /// was neither followed nor opened. Treat such a library as untrusted.
        case invalidLayout
        /// The library spans several file systems, or is on a network file system.
        case unsupportedFileSystem
        /// The library cannot be written: read-only, permission denied, disk full or disk failure.
        case cannotWrite
        /// A file or the database cannot be read.
        case cannotRead
        /// Another process holds a conflicting lock on the library; try again later.
        case busy
        /// No asset has this identifier.
        case noSuchAsset
        /// The asset has no edit with this identifier.
        case noSuchEdit
        /// The asset has no version with this name.
        case noSuchVersion
        /// The journal has no entry with this identifier.
        case noSuchEntry
        /// The asset already has a version with this name.
        case versionExists
        /// No album or folder has this identifier; it may have been deleted since it was fetched.
        case noSuchCollection
        /// A folder would become its own descendant.
        case folderInItself
        /// An abbreviated identifier or a name matches several objects.
        case ambiguousIdentifier
        /// A change request was created or used outside the block passed to `performChanges`.
        /// Property setters cannot throw and trap instead.
        case outsideChangeBlock
        /// `performChanges` was called inside a change block.
        case nestedChangeBlock
        /// An output created from one asset's input was set on another asset.
        case outputForAnotherAsset
        /// An output has no adjustment data.
        case missingAdjustmentData
        /// An output's adjustment data is empty, too large or has an invalid format identifier or
        /// version.
        case invalidAdjustmentData
        /// An output has no rendered content.
        case missingRenderedContent
        /// The content of assets of this media type cannot be edited.
        case unsupportedMediaType
        /// The asset's content has changed since it was read; read it again and retry.
        case conflict
        /// The original's bytes are not in the library, or the referenced file is missing.
        case originalMissing
        /// The referenced original was replaced or modified.
        case referencedFileChanged
        /// A stored file is missing.
        case blobMissing
        /// The bytes of a stored original do not match their hash.
        case originalDamaged
        /// The bytes of a stored rendition do not match their hash.
        case renditionDamaged
        /// The target state has no stored rendition; render it and supply the result.
        case renditionMissing
        /// The asset is in its original state, so that there is no edit to undo.
        case nothingToUndo
        /// There is no undone edit to redo.
        case nothingToRedo
        /// The request is inconsistent, or contradicts the asset, such as an asset without
        /// resources.
        case invalidRequest
        /// The number of bytes differs from the declared size, is 0 or exceeds the limit.
        case sizeMismatch
        /// The authorisation hook rejected the change.
        case notAuthorized
        /// The library's database or files are damaged.
        case damaged
        /// The library is open read-only.
        case readOnly
        /// The change token is older than the history; fetch everything again.
        case changeTokenExpired
        /// The change token belongs to another library, or is newer than this copy of the library.
        case invalidChangeToken
        /// The database failed for a reason that no other code describes.
        case database
    }

    /// The kind of failure.
    public let code: Code
    /// The cause and a remedy, as one sentence without a full stop.
    public let message: String
    /// The affected asset and the affected file or folder.
    public let subjects: [ErrorSubject]
    /// The underlying error, which the message does not include.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The cause and a remedy, as one sentence without a full stop.
    ///   - asset: The identifier of the affected asset.
    ///   - path: The affected file or folder.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code, _ message: String, asset: String? = nil, path: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        subjects = [asset.map { .asset($0) }, path.map { .file($0) }].compactMap { $0 }
        self.underlying = underlying
    }

    /// A sentence for the user, with the asset, the file and the underlying error if known.
    public var description: String {
        sentence + (underlying.map { ": \($0)" } ?? "")
    }

    /// Returns the error with an asset's identifier added, unless it already has one.
    func naming(asset identifier: String) -> LibraryError {
        LibraryError(
            code, message, asset: assetIdentifier ?? identifier, path: path,
            underlying: underlying)
    }
}
