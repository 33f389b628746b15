// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Why the library could not do what it was asked.
///
/// Match ``code``; the rest is for people. Unless a code says otherwise, the library is as it
/// was before the call.
public struct LibraryError: DescribedError {
    /// What kind of failure it is. New codes may come with new versions.
    public enum Code: String, Sendable {
        /// The folder is not a photo library, or there is none.
        case notALibrary
        /// A new library was to be made where something exists already.
        case alreadyExists
        /// The library was written by a newer version of this program; it was not touched.
        case newerSchema
        /// In the library's folder lies something that a library never has there, such as a link or a
        /// pipe; it was neither followed nor opened. The library may have been made to do harm.
        case invalidLayout
        /// The library's files are spread over several file systems, or lie on a network one.
        case unsupportedFileSystem
        /// The library cannot be written: read-only, no permission, disk full, or disk broken.
        case cannotWrite
        /// A file or the database cannot be read.
        case cannotRead
        /// Somebody else is using the library in a way that excludes this; try again.
        case busy
        /// There is no asset with this identifier.
        case noSuchAsset
        /// There is no edit with this identifier in the asset.
        case noSuchEdit
        /// The asset has no version of this name.
        case noSuchVersion
        /// There is no such album or folder; it may have been deleted since it was fetched.
        case noSuchCollection
        /// A folder was to be put into itself, or into one that lies in it.
        case folderInItself
        /// Several assets' identifiers begin with these characters, or several albums or folders
        /// are meant by them.
        case ambiguousIdentifier
        /// A change request was made or used outside the block given to `performChanges`. To set
        /// a property of one there, which cannot throw, traps.
        case outsideChangeBlock
        /// `performChanges` was called inside a change block.
        case nestedChangeBlock
        /// An output that was made from one asset's input was set on another asset.
        case outputForAnotherAsset
        /// An output has no adjustment data.
        case missingAdjustmentData
        /// An output's adjustment data is empty, too large or badly named.
        case invalidAdjustmentData
        /// An output has no rendered content.
        case missingRenderedContent
        /// The content of such an asset, a video for example, is not edited.
        case unsupportedMediaType
        /// The asset's content has changed since it was read; read it again and retry.
        case conflict
        /// The original's bytes are not in the library, or the referenced original is missing.
        case originalMissing
        /// Where a referenced original was, there is another file now, or it was changed.
        case referencedFileChanged
        /// A stored file is missing.
        case blobMissing
        /// The bytes of a stored original are not those that were imported.
        case originalDamaged
        /// The bytes of a stored rendition are not those that were stored.
        case renditionDamaged
        /// The state to go to has no stored rendition; render it and supply it.
        case renditionMissing
        /// The asset is in its original state: there is no edit to undo.
        case nothingToUndo
        /// No undone edit is left to redo.
        case nothingToRedo
        /// A request contradicts itself or the asset, for example an asset without resources.
        case invalidRequest
        /// Bytes that were to be stored are not as many as was declared, or are too many.
        case sizeMismatch
        /// The authorisation hook refused the change.
        case notAuthorized
        /// The library's database or files are damaged.
        case damaged
        /// The library is open for reading only.
        case readOnly
        /// A change token is older than the history; everything has to be fetched again.
        case changeTokenExpired
        /// A change token belongs to another library, or to a future that this one does not have.
        case invalidChangeToken
        /// The database failed in a way that none of the other codes describes.
        case database
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do, in a sentence without a full stop.
    public let message: String
    /// The asset and the file or folder concerned.
    public let subjects: [ErrorSubject]
    /// What failed beneath; the message does not say it.
    public let underlying: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: what kind of failure it is.
    ///   - message: what happened and what to do, in a sentence without a full stop.
    ///   - asset: the identifier of the asset concerned.
    ///   - path: the file or folder concerned.
    ///   - underlying: what failed beneath.
    public init(
        _ code: Code, _ message: String, asset: String? = nil, path: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        subjects = [asset.map { .asset($0) }, path.map { .file($0) }].compactMap { $0 }
        self.underlying = underlying
    }

    /// A sentence for people, with the asset, the file and the cause where they are known.
    public var description: String {
        sentence + (underlying.map { ": \($0)" } ?? "")
    }

    /// The same error with an asset's identifier, where it had none.
    func naming(asset identifier: String) -> LibraryError {
        LibraryError(
            code, message, asset: assetIdentifier ?? identifier, path: path,
            underlying: underlying)
    }
}
