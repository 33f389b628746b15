// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension LibraryCheck {
    /// Checks the snapshots of a backup, and the files that only they refer to.
    mutating func checkSnapshots() throws {
        guard try BackupFolder.isBackup(library.root) else { return }
        let folder = SnapshotFolder(root: library.root)
        let known = try library.read(BlobInventory.hashesInDatabase)
        var found: Set<String> = []
        var areReadable = true
        for snapshot in try folder.snapshots() {
            do {
                for (hash, size) in try folder.files(of: snapshot) where !known.contains(hash.hex) {
                    guard found.insert(hash.hex).inserted else { continue }
                    try check(hash, size: size, of: snapshot)
                }
            } catch let error as LibraryError {
                areReadable = false
                add(
                    .snapshotDamaged, .damage, isRepairable: false,
                    "a snapshot cannot be read: \(error.message); no file is removed from the "
                        + "backup as long as it is there",
                    path: library.layout.snapshots + "/" + snapshot.name)
            }
        }
        filesOfSnapshots = areReadable ? found : nil
    }

    private mutating func check(
        _ hash: SHA256Digest, size: Int, of snapshot: BackupSnapshot
    ) throws {
        report.fileCount += 1
        let fault: String
        if let status = status(of: hash), status.isPlainFile {
            let isRead = status.st_size == size && hash.isInSample(ofPercent: percent)
            if isRead { report.readCount += 1 }
            if try status.st_size == size && (!isRead || store.isIntact(hash, size: size)) {
                return
            }
            fault = "damaged"
        } else {
            fault = "missing"
        }
        add(
            .snapshotDamaged, .damage, isRepairable: false,
            "a file of the snapshot \(snapshot.name) is \(fault)", path: store.path(of: hash))
    }
}
