// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB
import Glibc

/// One run of a repair, under the exclusive lock.
struct LibraryRepair {
    let library: PhotoLibrary
    private var store: BlobStore { library.store }
    private var layout: LibraryLayout { library.layout }

    init(library: PhotoLibrary) { self.library = library }

    /// Does what can be done, and says what for each finding.
    func run(_ report: CheckReport) throws -> [RepairAction] {
        let sizes = Dictionary(
            try ReferencedFile.all(in: library).map { ($0.hash.hex, $0.size) },
            uniquingKeysWith: { first, _ in first })
        let known = try library.read(BlobInventory.hashesInDatabase)
        let orphanCount = report.findings.count { $0.kind == .orphan }
        return try report.findings.map { finding in
            guard let path = finding.path else { return .none }
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            switch finding.kind {
            case .databaseDamaged, .recipeDamaged, .referencedFileAway, .referencedFileChanged:
                return .none
            case .originalMissing, .renditionMissing:
                return try restore(name, size: sizes[name])
            case .originalDamaged:
                return try setAside(path, name, size: sizes[name])
            case .renditionDamaged:
                // What cannot be had again is worth more damaged than gone.
                guard finding.isRepairable else { return .none }
                return try setAside(path, name, size: sizes[name])
            case .wrongMode:
                return try setMode(path)
            case .orphan:
                // As in a collection: many may mean that the database is an old copy.
                guard !known.contains(name), orphanCount <= max(100, known.count) else {
                    return .none
                }
                return try trash(path, name)
            case .leftover:
                return try removeLeftover(path, known)
            }
        }
    }

    /// Brings back a missing file from where a collection or a repair has put it.
    private func restore(_ name: String, size: Int?) throws -> RepairAction {
        guard let size, let hash = SHA256Digest(hex: name), !store.exists(hash) else {
            return .none
        }
        let kept =
            try Trash(layout: layout).files().map(\.path) + setAsideFiles(named: name)
        for path in kept where path.hasSuffix(name) || path.contains(name + ".") {
            guard (try? store.holds(hash, size: size, at: path)) == true else { continue }
            let file = try OpenFile(path, O_RDONLY)
            guard fchmod(file.descriptor, 0o444) == 0 else { throw SystemError("fchmod") }
            try file.synchronize()
            try Folders.makeIfNeeded(layout.shard(of: hash))
            guard rename(path, layout.blob(hash)) == 0 else { throw SystemError("rename") }
            try Folders.synchronize(layout.shard(of: hash))
            try Folders.synchronize(layout.blobs)
            return .restored
        }
        return .none
    }

    private func setAsideFiles(named name: String) throws -> [String] {
        guard try Folders.status(layout.quarantine) != nil else { return [] }
        return try Folders.names(in: layout.quarantine).filter { $0.hasPrefix(name) }
            .map { layout.quarantine + "/" + $0 }
    }

    /// Moves a damaged file, as it is, to `quarantine/`.
    private func setAside(_ path: String, _ name: String, size: Int?) throws -> RepairAction {
        guard let size, let hash = SHA256Digest(hex: name), try Folders.status(path) != nil,
            (try? store.holds(hash, size: size, at: path)) != true
        else { return .none }
        try Folders.makeIfNeeded(layout.quarantine)
        var target = layout.quarantine + "/" + name
        if try Folders.status(target) != nil { target += "." + UUID().uuidString.lowercased() }
        guard rename(path, target) == 0 else { throw SystemError("rename") }
        for folder in [layout.shard(of: hash), layout.quarantine, layout.root] {
            try Folders.synchronize(folder)
        }
        // A good copy may lie in the trash.
        return try restore(name, size: size) == .restored ? .restored : .setAside
    }

    private func setMode(_ path: String) throws -> RepairAction {
        guard try Folders.status(path)?.isPlainFile == true else { return .none }
        guard chmod(path, 0o444) == 0 else { throw SystemError("chmod") }
        return .mended
    }

    private func trash(_ path: String, _ name: String) throws -> RepairAction {
        guard try Folders.status(path) != nil else { return .none }
        let folder = path.dropLast(name.utf8.count + 1)
        try Trash(layout: layout).keep([
            BlobInventory.File(name: name, path: path, shard: String(folder))
        ])
        return .trashed
    }

    /// Dead sessions went when the library was opened for writing.
    private func removeLeftover(
        _ path: String, _ known: Set<String>
    ) throws -> RepairAction {
        if path.hasPrefix(layout.trash + "/") {
            _ = try Trash(layout: layout).empty(all: false, known: known)
        } else {
            try library.session?.removeDeadSessions()
        }
        return try Folders.status(path) == nil ? .mended : .none
    }
}
