// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost

/// A picture in the dry run of an import, with the companions that the library has or would have.
struct PreviewedPicture {
    /// The stored asset with the picture; nil if the import would create it.
    let owner: Asset?
    /// Whether the picture is in the trash and stays there.
    var isInTrash: Bool
    /// Whether a group of this import has already had the picture, or the library has it.
    var isStored: Bool
    /// Whether the file is the motion of a Live Photo.
    var isMotion = false
    private let order: SidecarOrder
    /// The companions other than sidecars.
    private var files: Set<SHA256Digest> = []
    /// The sidecars by their names in the library.
    private var sidecars: [FileName: SHA256Digest] = [:]
    /// The first sidecar of each name in the library that the import has read.
    private var read: [FileName: (path: FileName, hash: SHA256Digest)] = [:]

    /// The hashes of the sidecars. Equal sidecars with different names state the same values.
    var sidecarContents: Set<SHA256Digest> { Set(sidecars.values) }

    /// Creates a picture that the import would store.
    ///
    /// - Parameter filename: The filename of the picture.
    init(named filename: String) {
        (owner, isInTrash, isStored) = (nil, false, false)
        order = SidecarOrder(original: filename, raws: [])
    }

    /// Creates a stored picture.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    init(of owner: Asset, in library: PhotoLibrary, isInTrash: Bool) throws {
        self.owner = owner
        self.isInTrash = isInTrash
        isStored = true
        let history = try library.history(ofAsset: owner.localIdentifier)
        order = SidecarOrder(history)
        for file in history.originals where library.isLocallyAvailable(file) {
            guard let hash = file.contentHash else { continue }
            if file.type == .metadataSidecar {
                // The last one of a name is the newest.
                sidecars[FileName(file.originalFilename)] = hash
            } else {
                files.insert(hash)
            }
        }
    }

    /// Adds a companion, as ``Importer/examine(_:beside:of:)`` would.
    ///
    /// - Parameter picture: The path of the picture beside which it was found.
    /// - Returns: The result of the companion.
    mutating func add(
        _ path: String, _ hash: SHA256Digest, _ type: AssetResourceType, beside picture: String
    ) -> ImportResult {
        var result = ImportResult(
            path: path, assetIdentifier: owner?.localIdentifier, resourceType: type,
            status: .imported)
        let name = FileName(
            order.libraryName(of: path.pathParts.name, beside: picture.pathParts.name))
        if let reason = isInTrash ? Importer.photoInTrash : isMotion ? Importer.motionSidecar : nil
        {
            let isStored =
                type == .metadataSidecar
                ? sidecars.values.contains(hash) : files.contains(hash)
            return isStored ? result.with(.duplicate) : Self.skipped(result, reason)
        }
        let isKnown =
            type == .metadataSidecar ? sidecars[name] == hash : files.contains(hash)
        guard type == .metadataSidecar else {
            files.insert(hash)
            return isKnown ? result.with(.duplicate) : result
        }
        if let first = read[name], first.hash != hash, first.path != FileName(path) {
            return Self.skipped(result, Importer.otherSidecar(at: first.path.text))
        }
        read[name] = read[name] ?? (FileName(path), hash)
        if isKnown { return result.with(.duplicate) }
        if sidecars.updateValue(hash, forKey: name) != nil { result = result.with(.updated) }
        return result
    }

    private static func skipped(_ result: ImportResult, _ reason: HostError) -> ImportResult {
        var result = result.with(.skipped)
        // The reason is printed for files that belong to no asset.
        result.assetIdentifier = nil
        result.error = reason
        return result
    }
}
