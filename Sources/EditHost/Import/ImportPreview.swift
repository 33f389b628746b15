// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

/// Predicts the results of an import from names, first bytes and hashes. Nothing is decoded or changed.
struct ImportPreview {
    /// The target library; nil if it does not exist yet.
    let library: PhotoLibrary?
    /// The files to import.
    let finder: ImportFileFinder
    /// The files that earlier imports have rejected; nil if the library does not exist yet.
    private let rejections: ImportRejections?
    /// The hashes of the files that would be imported.
    private var hashes: Set<SHA256Digest> = []
    /// The hashes of the files among them whose photos would have a folder.
    private var foundInFolders: Set<SHA256Digest> = []

    init(into library: PhotoLibrary?, of finder: ImportFileFinder) {
        (self.library, self.finder) = (library, finder)
        rejections = library.map { ImportRejections(in: $0, of: finder) }
    }

    /// Returns the results of the files of a group, that of the primary file first.
    ///
    /// - Throws: `LibraryError` if the library itself is unusable.
    mutating func results(of group: ImportGroup) throws -> [ImportResult] {
        do {
            let (file, _) = try Importer.open(group.primary)
            if let known = try rejections?.result(for: group.primary, file) {
                return try [known] + alone(group.companions)
            }
            let format = try Importer.format(of: file, at: group.primary)
            if let refusal = try Importer.refusal(of: format, file) {
                let preview = try library.flatMap {
                    try Importer.storedPreview(group.primary, file, format, in: $0)
                }
                let rejection =
                    preview
                    ?? Importer.rejection(
                        of: group.primary, format, refusal, isNamed: finder.isNamed(group.primary))
                return try [rejection] + alone(group.companions)
            }
            let type: AssetResourceType = format.mediaType == .video ? .video : .photo
            let (result, owner) = try result(of: group.primary, file, type)
            return try [result]
                + group.companions.flatMap { try results(of: $0, companionOf: owner) }
        } catch let error where error.concernsImportedFile {
            return try [Self.rejected(group.primary, error)] + alone(group.companions)
        }
    }

    private mutating func alone(_ paths: [String]) throws -> [ImportResult] {
        try paths.flatMap { try results(of: ImportGroup(primary: $0)) }
    }

    private static func rejected(_ path: String, _ error: any Error) -> ImportResult {
        ImportResult(path: path, status: .rejected, error: error)
    }

    /// Returns the result of a file that can be an original, and the asset that has it.
    private mutating func result(
        of path: String, _ file: OpenFile, _ type: AssetResourceType
    ) throws -> (ImportResult, Asset?) {
        let hash = try OutgoingFile(file).hash()
        let owner = try owner(of: hash)
        let isFirst = hashes.insert(hash).inserted
        let isTrashed = isFirst && owner?.isTrashed == true
        let isRestored = isTrashed && finder.isNamed(path)
        var result = ImportResult(
            path: path, assetIdentifier: owner?.localIdentifier, resourceType: type,
            status: isRestored ? .restored : isFirst && owner == nil ? .imported : .duplicate)
        let addsFolder = addsFolder(of: path, hash, type, to: owner)
        if addsFolder, result.status == .duplicate { result = result.with(.updated) }
        if isTrashed, !isRestored { result.warnings = [Importer.inTrash] }
        return (result, owner)
    }

    /// Whether an asset would get the folder of a file. The motion of a Live Photo has none.
    ///
    /// - Parameter owner: The stored asset with the file; nil if there is none.
    private mutating func addsFolder(
        of path: String, _ hash: SHA256Digest, _ type: AssetResourceType, to owner: Asset?
    ) -> Bool {
        guard finder.folders[FileName(path)] != nil, type != .pairedVideo, owner?.isTrashed != true
        else {
            return false
        }
        if let owner, (type == .video) != (owner.mediaType == .video) { return false }
        let isFirst = foundInFolders.insert(hash).inserted
        return isFirst && owner?.originalFolder == nil
    }

    /// Returns the asset whose original or motion has a hash.
    private func owner(of hash: SHA256Digest) throws -> Asset? {
        guard let library else { return nil }
        if let owner = try library.asset(withOriginalHash: hash) {
            return try library.isLocallyAvailable(owner) ? owner : nil
        }
        return try library.asset(withPairedVideoHash: hash)
    }

    private mutating func results(
        of path: String, companionOf owner: Asset?
    ) throws -> [ImportResult] {
        do {
            let (file, _) = try Importer.open(path)
            guard
                let type = try Importer.type(of: path, Importer.format(of: file, at: path), file)
            else {
                return try alone([path])
            }
            guard type != .pairedVideo else { return [try result(of: path, file, type).0] }
            let hash = try OutgoingFile(file).hash()
            let stored =
                try owner.flatMap { owner in
                    try library.map { try AssetResource.assetResources(for: owner, in: $0) }
                } ?? []
            let isKnown = stored.contains { $0.contentHash == hash }
            let replaces =
                type == .metadataSidecar
                && stored.contains {
                    $0.type == type
                        && FileName($0.originalFilename) == FileName(path.pathParts.name)
                }
            return [
                ImportResult(
                    path: path, assetIdentifier: owner?.localIdentifier, resourceType: type,
                    status: isKnown ? .duplicate : replaces ? .updated : .imported)
            ]
        } catch let error where error.concernsImportedFile {
            return [Self.rejected(path, error)]
        }
    }
}
