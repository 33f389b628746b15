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
        /// Unmodified files that were not removed, because the picture or sidecar beside them was modified.
        var beside: [FileName] = []
        /// Files that existed before an export found them, and that exports never remove.
        var others: [FileName] = []
        /// Files that the record keeps listing, so that a later export can remove them.
        var staying: [ExportRecord.File] = []
    }

    /// Removes the files that an asset had under other names, or keeps them for a later `prune`. A picture and its sidecar
    /// are removed together: a modified one keeps the other.
    ///
    /// - Parameters:
    ///   - replaced: The files that this export replaced.
    ///   - isRemoving: Whether to remove those.
    ///   - isPruning: Whether to remove files replaced by earlier exports.
    ///   - names: The names of the current files. A file that is the same under another name, as on a
    ///     case-insensitive file system, is neither removed nor reported.
    mutating func part(
        from files: [ExportRecord.File], of entry: Entry, replaced: [ExportRecord.File] = [],
        removing isRemoving: Bool, pruning isPruning: Bool, keeping names: [FileName]
    ) throws -> Parting {
        var parting = Parting()
        let staying = Set(names.compactMap(identity))
        let leaving = try files.filter { file in
            identity(of: file.name).map { !staying.contains($0) } ?? true
        }.map { (file: $0, state: try state(of: $0, entry, reading: true)) }
        let modified = leaving.filter { $0.state == .foreign && $0.file.wasThere != true }
        for (file, state) in leaving {
            let isNew = replaced.contains(file)
            let isRemoved = isNew ? isRemoving : isPruning
            let isBesideModified = modified.contains { $0.file.name.isBeside(file.name) }
            switch state {
            case .missing, .taken: break
            case .foreign where file.wasThere == true: parting.others.append(file.name)
            case .foreign:
                parting.kept.append(file.name)
                // A later prune has to find it beside the other file.
                let isBesideOther = leaving.contains {
                    [.same, .earlier].contains($0.state) && $0.file.name.isBeside(file.name)
                }
                if !isRemoved, isBesideOther { parting.staying.append(file) }
            case .same, .earlier:
                if isRemoved, isBesideModified {
                    parting.beside.append(file.name)
                } else if isRemoved {
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
    mutating func prune(
        _ library: String, butFor isKept: (Subject) -> Bool, leaving isUntouched: (Subject) -> Bool
    ) throws -> ExportRemovals {
        var removals = ExportRemovals()
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
            removals.kept += paths(of: parting.kept)
            removals.keptBeside += paths(of: parting.beside)
            removals.removed += paths(of: parting.removed)
            try take(isWanted ? entry.pruned : entry.forgotten)
        }
        return removals
    }
}

extension FileName {
    /// Whether one of the files is the sidecar of the other, such as `a.jpg.xmp` of `a.jpg`.
    fileprivate func isBeside(_ other: FileName) -> Bool {
        self == FileName(other.text + ".xmp") || other == FileName(text + ".xmp")
    }
}
