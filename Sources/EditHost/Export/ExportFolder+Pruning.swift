// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension ExportFolder {
    /// The files that an asset had under other names, grouped by what has happened to them, for warnings and for the
    /// record.
    struct Parting {
        var removed: [FileName] = []
        /// Files replaced by this export that were not removed.
        var left: [FileName] = []
        /// Files modified since they were exported.
        var kept: [FileName] = []
        /// Files that existed before an export found them, and that exports never remove.
        var others: [FileName] = []
        /// Files that the record keeps listing, so that a later export can remove them.
        var staying: [ExportRecord.File] = []
    }

    /// Removes the files that an asset had under other names, or keeps them for a later `prune`.
    ///
    /// - Parameters:
    ///   - replaced: The files that this export replaced.
    ///   - isRemoving: Whether to remove those.
    ///   - isPruning: Whether to remove files replaced by earlier exports.
    ///   - names: The names of the current files. A file that is the same under another name, as on a
    ///     case-insensitive file system, is neither removed nor reported.
    func part(
        from files: [ExportRecord.File], of entry: Entry, replaced: [ExportRecord.File] = [],
        removing isRemoving: Bool, pruning isPruning: Bool, keeping names: [FileName]
    ) throws -> Parting {
        var parting = Parting()
        let staying = Set(names.compactMap(identity))
        for file in files {
            if let identity = identity(of: file.name), staying.contains(identity) { continue }
            let isNew = replaced.contains(file)
            switch try state(of: file, entry, reading: true) {
            case .missing, .taken: break
            case .foreign where file.wasThere == true: parting.others.append(file.name)
            case .foreign: parting.kept.append(file.name)
            case .same, .earlier:
                if isNew ? isRemoving : isPruning {
                    try remove(file.name)
                    parting.removed.append(file.name)
                } else {
                    if isNew { parting.left.append(file.name) }
                    parting.staying.append(file)
                }
            }
        }
        return parting
    }

    /// Removes the exported files of a library's assets, except for the current files of some.
    ///
    /// - Parameters:
    ///   - isKept: Whether the current files of a subject stay. Its files under other names are removed.
    ///   - isUntouched: Whether no file of a subject is removed.
    /// - Returns: The paths of removed files, and of files kept because they were modified.
    mutating func prune(
        _ library: String, butFor isKept: (Subject) -> Bool, leaving isUntouched: (Subject) -> Bool
    ) throws -> (removed: [String], kept: [String]) {
        var (removed, kept): ([FileName], [FileName]) = ([], [])
        let none = FileName("")
        let entries = record.entries
            .filter {
                // Unproven entries are skipped, because a new line for them would be sealed and would count as a proof.
                $0.subject.library == library && !isUntouched($0.subject)
                    && !(isKept($0.subject) && ($0.leaving.isEmpty || !$0.isProven))
            }
            .sorted { ($0.files.first?.name ?? none) < ($1.files.first?.name ?? none) }
        for entry in entries {
            try Task.checkCancellation()
            let isWanted = isKept(entry.subject)
            let parting = try part(
                from: (isWanted ? [] : entry.files) + entry.leaving, of: entry, removing: true,
                pruning: true, keeping: isWanted ? entry.files.map(\.name) : [])
            kept += parting.kept
            removed += parting.removed
            try take(isWanted ? entry.pruned : entry.forgotten)
        }
        return (paths(of: removed), paths(of: kept))
    }
}
