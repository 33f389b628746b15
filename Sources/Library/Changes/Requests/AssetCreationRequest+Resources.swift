// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials

extension AssetCreationRequest {
    /// Adds a file, which is copied at once. The first one is the asset's own original: its facts give the asset's size,
    /// date, position, subtypes and the rest of its metadata, and no other asset may have the same
    /// bytes as its original. The others are its companions: the RAW of a JPEG, the video of a Live Photo, a sidecar. Where
    /// the library has the original already, its asset gets those companions that it lacks.
    ///
    /// What a file is, its bytes say. What the caller says of it, by the type of the resource, the
    /// medium or the facts, counts where they are not recognised; where they say something else, it is an
    /// error.
    ///
    /// - Parameters:
    ///   - type: What the file is to the asset.
    ///   - path: Where it lies.
    ///   - filename: Its name without a folder; nil for the name that it has.
    ///   - facts: What decoding it told; nil for a companion. An original of which nothing is
    ///     known cannot be edited.
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`; `invalidRequest`
    ///   where the file is not what it is said to be.
    public func addResource(
        _ type: AssetResourceType, path: String, filename: String? = nil, facts: PhotoFacts? = nil
    ) throws {
        let source = try SourceFile(path: path)
        let blob = try block.stage(source.file)
        try source.requireUnchanged()
        let name = path.withoutTrailingSlashes.pathParts.name
        try addResource(type, blob: blob, filename: filename ?? name, facts: facts)
    }

    /// Adds a staged file; see ``addResource(_:path:filename:facts:)``.
    package func addResource(
        _ type: AssetResourceType, blob: StagedBlob, filename: String, facts: PhotoFacts? = nil
    ) throws {
        try add(NewResource(type, blob: blob, filename: filename, facts: facts))
    }

    /// Adds a file of these bytes; see ``addResource(_:path:filename:facts:)``.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotWrite`; `sizeMismatch` where there
    ///   are no bytes.
    public func addResource(
        _ type: AssetResourceType, data: Data, filename: String, facts: PhotoFacts? = nil
    ) throws {
        try addResource(
            type, blob: try block.stage(data), filename: filename, facts: facts)
    }

    /// Adds a file that stays where it is.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func addResource(
        _ type: AssetResourceType, reference: FileReference, filename: String,
        facts: PhotoFacts? = nil
    ) throws {
        try add(NewResource(type, reference: reference, filename: filename, facts: facts))
    }

    /// Adds a file whose bytes are away.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func addResource(
        _ type: AssetResourceType, url: String, filename: String, facts: PhotoFacts
    ) throws {
        try add(NewResource(type, url: url, filename: filename, facts: facts))
    }
}

extension AssetChangeRequest {
    /// Adds a staged companion; see ``addResource(_:reference:filename:)``.
    package func addResource(
        _ type: AssetResourceType, blob: StagedBlob, filename: String, facts: PhotoFacts? = nil
    ) throws {
        try add(NewResource(type, blob: blob, filename: filename, facts: facts))
    }

    /// Adds a companion that stays where it is, and of which something is known.
    package func addResource(
        _ type: AssetResourceType, reference: FileReference, filename: String, facts: PhotoFacts?
    ) throws {
        try add(NewResource(type, reference: reference, filename: filename, facts: facts))
    }

    /// Adds a companion that stays where it is: the RAW of a JPEG, the video of a Live Photo, a
    /// sidecar. Nothing changes where the asset has these bytes in this part already.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func addResource(
        _ type: AssetResourceType, reference: FileReference, filename: String
    ) throws {
        try add(NewResource(type, reference: reference, filename: filename, facts: nil))
    }
}
