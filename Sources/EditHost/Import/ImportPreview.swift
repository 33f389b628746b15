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
    /// The pictures and videos that were found, by their hashes.
    private var pictures: [SHA256Digest: PreviewedPicture] = [:]
    /// The hashes of the files whose photos would have a folder.
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
                return try [known] + alone(group)
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
                return try [rejection] + alone(group)
            }
            let type: AssetResourceType = format.mediaType == .video ? .video : .photo
            let hash = try OutgoingFile(file).hash()
            var results = [try result(of: group.primary, hash, type)]
            let contents = pictures[hash]?.sidecarContents
            let apart = try group.motions.filter(isApart)
            let joined = group.without(Set(apart.map { FileName($0.primary) }))
            for path in joined.companions {
                results += try self.results(of: path, companionOf: hash, at: group.primary)
            }
            for path in group.borrowed {
                // The group of the other picture reports the file and its errors.
                guard let file = try? Self.companion(at: path) else { continue }
                _ = pictures[hash]?.add(path, file.hash, file.type, beside: group.primary)
            }
            // Its values are compared by the import only.
            let changes = pictures[hash]?.sidecarContents != contents
            if changes, results[0].status == .duplicate { results[0] = results[0].with(.updated) }
            return try results + apart.flatMap { try self.results(of: $0) }
        } catch let error where error.concernsImportedFile {
            return try [Self.rejected(group.primary, error)] + alone(group)
        }
    }

    private mutating func alone(_ group: ImportGroup) throws -> [ImportResult] {
        try group.parts.flatMap { try results(of: $0) }
    }

    /// Whether a video with sidecars is not the motion of the picture beside it, because it is no video or the library has
    /// it as a separate asset. For others, only the import determines it.
    private func isApart(_ video: ImportGroup) throws -> Bool {
        if video.companions.isEmpty { return false }
        do {
            guard let (_, hash) = try Self.companion(at: video.primary) else { return true }
            return try library?.asset(withOriginalHash: hash)?.mediaType == .video
        } catch let error where error.concernsImportedFile {
            return true
        }
    }

    /// Returns the role and the hash of a companion; nil if its content does not match its extension.
    private static func companion(
        at path: String
    ) throws -> (type: AssetResourceType, hash: SHA256Digest)? {
        let (file, _) = try Importer.open(path)
        let format = try Importer.format(of: file, at: path)
        guard let type = try Importer.type(of: path, format, file) else { return nil }
        return (type, try OutgoingFile(file).hash())
    }

    private static func rejected(_ path: String, _ error: any Error) -> ImportResult {
        ImportResult(path: path, status: .rejected, error: error)
    }

    /// Returns the result of a file that can be an original.
    private mutating func result(
        of path: String, _ hash: SHA256Digest, _ type: AssetResourceType
    ) throws -> ImportResult {
        var picture = try pictures[hash] ?? picture(at: path, hash)
        let isRestored = picture.isInTrash && finder.isNamed(path)
        if isRestored { picture.isInTrash = false }
        var result = ImportResult(
            path: path, assetIdentifier: picture.owner?.localIdentifier, resourceType: type,
            status: isRestored ? .restored : picture.isStored ? .duplicate : .imported)
        picture.isStored = true
        // A stored motion has its picture as owner.
        let pairs = picture.owner.map { type != .photo && $0.mediaType == .image }
        if pairs ?? (type == .pairedVideo) { picture.isMotion = true }
        pictures[hash] = picture
        let addsFolder = addsFolder(of: path, hash, type, to: picture)
        if addsFolder, result.status == .duplicate { result = result.with(.updated) }
        if picture.isInTrash { result.warnings = [Importer.inTrash] }
        return result
    }

    private func picture(at path: String, _ hash: SHA256Digest) throws -> PreviewedPicture {
        guard let library, let owner = try owner(of: hash) else {
            return PreviewedPicture(named: path.pathParts.name)
        }
        return try PreviewedPicture(of: owner, in: library, isInTrash: owner.isTrashed)
    }

    /// Whether an asset would get the folder of a file. The motion of a Live Photo has none.
    ///
    /// - Parameter picture: The picture or video with the hash.
    private mutating func addsFolder(
        of path: String, _ hash: SHA256Digest, _ type: AssetResourceType,
        to picture: PreviewedPicture
    ) -> Bool {
        guard finder.folders[FileName(path)] != nil, type != .pairedVideo, !picture.isMotion,
            picture.owner?.isTrashed != true
        else {
            return false
        }
        let isFirst = foundInFolders.insert(hash).inserted
        return isFirst && picture.owner?.originalFolder == nil
    }

    /// Returns the asset whose original or motion has a hash.
    private func owner(of hash: SHA256Digest) throws -> Asset? {
        guard let library else { return nil }
        if let owner = try library.asset(withOriginalHash: hash) {
            return try library.isLocallyAvailable(owner) ? owner : nil
        }
        return try library.asset(withPairedVideoHash: hash)
    }

    /// Returns the results of a companion of a picture.
    private mutating func results(
        of path: String, companionOf picture: SHA256Digest, at place: String
    ) throws -> [ImportResult] {
        do {
            guard let (type, hash) = try Self.companion(at: path) else {
                return try results(of: ImportGroup(primary: path))
            }
            if type == .pairedVideo, pictures[picture]?.isInTrash != true {
                return [try result(of: path, hash, type)]
            }
            let added = pictures[picture]?.add(path, hash, type, beside: place)
            return added.map { [$0] } ?? []
        } catch let error where error.concernsImportedFile {
            return [Self.rejected(path, error)]
        }
    }
}
