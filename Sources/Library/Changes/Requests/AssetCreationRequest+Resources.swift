// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials

extension AssetCreationRequest {
    /// Adds a file to the new asset. The file is copied immediately.
    ///
    /// The first file is the original. Its facts set the asset's size, date, location, subtypes and
    /// other metadata. No two assets have the same bytes as their original. If the library already
    /// has the original, the existing asset gets the companions that it lacks.
    ///
    /// Later files are companions: the RAW of a JPEG, the video of a Live Photo, a sidecar.
    ///
    /// The format is detected from the bytes. The resource type, media type and facts given by the
    /// caller apply if detection fails. If they contradict the detected format, the call throws.
    ///
    /// - Parameters:
    ///   - type: The role of the file in the asset.
    ///   - path: The path of the file to copy.
    ///   - filename: The filename to store, without a folder; nil for that of `path`.
    ///   - facts: The facts found by decoding the file; nil for a companion. An original without
    ///     facts cannot be edited.
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`;
    ///   `invalidRequest` if the file contradicts its declared type.
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

    /// Adds a file with the given bytes; see ``addResource(_:path:filename:facts:)``.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotWrite`; `sizeMismatch` if `data` is
    ///   empty.
    public func addResource(
        _ type: AssetResourceType, data: Data, filename: String, facts: PhotoFacts? = nil
    ) throws {
        try addResource(
            type, blob: try block.stage(data), filename: filename, facts: facts)
    }

    /// Adds a referenced file, which is not copied.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func addResource(
        _ type: AssetResourceType, reference: FileReference, filename: String,
        facts: PhotoFacts? = nil
    ) throws {
        try add(NewResource(type, reference: reference, filename: filename, facts: facts))
    }

    /// Adds a referenced file whose bytes are currently unavailable.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func addResource(
        _ type: AssetResourceType, url: String, filename: String, facts: PhotoFacts
    ) throws {
        try add(NewResource(type, url: url, filename: filename, facts: facts))
    }
}
