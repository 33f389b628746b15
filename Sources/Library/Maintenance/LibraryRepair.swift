// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Glibc

/// A single run of a repair, under the exclusive lock.
struct LibraryRepair {
    let library: PhotoLibrary
    /// The files of a backup, which replace missing and damaged ones; nil without a backup.
    var backup: BlobStore?
    private var store: BlobStore { library.store }
    private var root: Folder { library.root }

    /// Repairs as much as possible, and returns the outcome for each finding.
    func run(_ report: CheckReport) throws -> [RepairAction] {
        let sizes = Dictionary(
            try ReferencedBlob.all(in: library).map { ($0.hash.hex, $0.size) },
            uniquingKeysWith: { first, _ in first })
        let known = try library.read(BlobInventory.hashesInDatabase)
        let areForeign = BlobInventory.areSuspicious(
            report.findings.count { $0.kind == .orphan }, knownCount: known.count)
        return try report.findings.map { finding in
            // Files are looked up by name again. The path in a report is not used.
            let name = finding.path?.split(separator: "/").last.map(String.init) ?? ""
            do {
                switch finding.kind {
                case .databaseDamaged, .recipeDamaged, .referencedFileAway, .referencedFileChanged,
                    .videoNotDecoded, .snapshotDamaged, .misplaced:
                    return .none
                case .originalMissing, .renditionMissing, .editFileMissing:
                    return try restore(name, size: sizes[name])
                case .originalDamaged, .editFileDamaged:
                    return try setAside(name, size: sizes[name])
                case .renditionDamaged:
                    // A damaged rendition that cannot be reproduced is kept: it is better than
                    // none.
                    guard try finding.isRepairable || isInBackup(name, size: sizes[name]) else {
                        return .none
                    }
                    return try setAside(name, size: sizes[name])
                case .wrongMode:
                    return try setMode(name)
                case .orphan:
                    // The same conditions as in a collection.
                    guard finding.isRepairable, !known.contains(name), !areForeign else {
                        return .none
                    }
                    return try trash(name)
                case .leftover:
                    guard finding.isRepairable else { return .none }
                    return try removeLeftover(name, known)
                }
            } catch let error as SystemError where error.misplaced != nil {
                return .none
            }
        }
    }

    private func isInBackup(_ name: String, size: Int?) throws -> Bool {
        guard let backup, let size, let hash = SHA256Digest(hex: name) else { return false }
        return try backup.isIntact(hash, size: size)
    }

    /// Copies a missing file from the backup, if that has an intact copy.
    private func restoreFromBackup(_ hash: SHA256Digest, size: Int) throws -> Bool {
        guard let backup, try isInBackup(hash.hex, size: size), let session = library.session else {
            return false
        }
        let blob: StagedBlob
        do {
            let file = try backup.open(hash, assetIdentifier: nil)
            blob = try store.stage(file, expectedSize: size, in: session)
        } catch let error as LibraryError where error.code != .cannotWrite {
            return false
        }
        // The backup is not locked, and may have changed in the meantime.
        guard blob.hash == hash else { return false }
        try store.publish([blob])
        return true
    }

    /// Restores a missing file from the trash, from quarantine or from the backup.
    private func restore(_ name: String, size: Int?) throws -> RepairAction {
        guard let size, let hash = SHA256Digest(hex: name), !store.exists(hash) else {
            return .none
        }
        let blobs = try root.folder(LibraryName.blobs)
        for (folder, kept) in try keptFiles(of: name) {
            let file = try folder.file(kept, O_RDONLY)
            // A file with other hard links may be writable by another owner.
            guard try !file.systemStatus().hasOtherNames,
                try BlobStore.isIntact(hash, size: size, kept, in: folder)
            else { continue }
            guard fchmod(file.descriptor, 0o444) == 0 else { throw SystemError("fchmod") }
            try file.synchronize()
            let shard = try blobs.makeFolderIfNeeded(BlobStore.shardName(of: hash))
            try folder.move(kept, to: shard, as: name)
            try shard.synchronize()
            try blobs.synchronize()
            return .restored
        }
        return try restoreFromBackup(hash, size: size) ? .restored : .none
    }

    /// Returns the files in the trash and in quarantine that had this name in the store.
    private func keptFiles(of name: String) throws -> [(folder: Folder, name: String)] {
        var found: [(folder: Folder, name: String)] = []
        for file in try UnusedFilesFolder(root: root).files()
        where LibraryName.blob(ofKeptFile: file.name) == name {
            found.append((try root.folder(LibraryName.trash).folder(file.folder), file.name))
        }
        guard let quarantine = try root.folderIfPresent(LibraryName.quarantine) else {
            return found
        }
        for entry in try quarantine.entries()
        where entry.kind == .regularFile && LibraryName.blob(ofKeptFile: entry.name) == name {
            found.append((quarantine, entry.name))
        }
        return found
    }

    /// Moves a damaged file, unmodified, to `quarantine/`.
    private func setAside(_ name: String, size: Int?) throws -> RepairAction {
        guard let size, let hash = SHA256Digest(hex: name), let shard = try store.shard(of: hash),
            try shard.status(name) != nil, try !store.isIntact(hash, size: size)
        else { return .none }
        let quarantine = try root.makeFolderIfNeeded(LibraryName.quarantine)
        var target = name
        if try quarantine.status(target) != nil { target += "." + UUID().uuidString.lowercased() }
        try shard.move(name, to: quarantine, as: target)
        for folder in [shard, quarantine, root] { try folder.synchronize() }
        // The trash or the backup may have an intact copy.
        return try restore(name, size: size) == .restored ? .restored : .setAside
    }

    private func setMode(_ name: String) throws -> RepairAction {
        guard let hash = SHA256Digest(hex: name), let shard = try store.shard(of: hash),
            let status = try shard.status(name), status.isPlainFile, !status.hasOtherNames
        else { return .none }
        guard fchmodat(shard.descriptor, name, 0o444, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw SystemError("fchmodat")
        }
        return .repaired
    }

    private func trash(_ name: String) throws -> RepairAction {
        guard let hash = SHA256Digest(hex: name), try store.status(of: hash)?.isPlainFile == true
        else { return .none }
        try UnusedFilesFolder(root: root).keep([
            BlobInventory.File(
                name: name, folder: BlobStore.shardName(of: hash), path: store.path(of: hash))
        ])
        return .trashed
    }

    /// Removes a leftover in `trash/` or `staging/`. Most dead sessions were removed when the
    /// library was opened for writing.
    private func removeLeftover(_ name: String, _ known: Set<String>) throws -> RepairAction {
        let parent: Folder?
        if name == LibraryName.removing {
            _ = try UnusedFilesFolder(root: root).empty(all: false, known: known)
            parent = try root.folderIfPresent(LibraryName.trash)
        } else {
            try library.session?.removeDeadSessions()
            parent = try root.folderIfPresent(LibraryName.staging)
        }
        return try parent?.status(name) == nil ? .repaired : .none
    }
}
