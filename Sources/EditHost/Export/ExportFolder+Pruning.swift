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
        /// Unmodified files that were not removed, because a file exported with them was modified.
        var beside: [FileName] = []
        /// Files that existed before an export found them, and that exports never remove.
        var others: [FileName] = []
        /// Files that the record keeps listing, so that a later export can remove them.
        var staying: [ExportRecord.File] = []
    }

    /// Removes the files that an asset had under other names, or keeps them for a later `prune`. The files of one export,
    /// such as a picture, its sidecar and the video of a Live Photo, are removed together: a modified one keeps the others.
    ///
    /// - Parameters:
    ///   - replaced: The files of the last export, which this one replaced.
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
        func areTogether(_ one: ExportRecord.File, _ other: ExportRecord.File) -> Bool {
            replaced.contains(one) && replaced.contains(other) || one.name.isBeside(other.name)
        }
        for (file, state) in leaving {
            let isNew = replaced.contains(file)
            let isRemoved = isNew ? isRemoving : isPruning
            let isBesideModified = modified.contains { areTogether($0.file, file) }
            switch state {
            case .missing, .taken: break
            case .foreign where file.wasThere == true: parting.others.append(file.name)
            case .foreign:
                parting.kept.append(file.name)
                // A later prune has to find it beside the other files.
                let isBesideOther = leaving.contains {
                    [.same, .earlier].contains($0.state) && areTogether($0.file, file)
                }
                if !isRemoved, isBesideOther { parting.staying.append(file) }
            case .same, .earlier:
                if isRemoved, !isBesideModified {
                    try remove(file.name)
                    parting.removed.append(file.name)
                } else if isBesideModified {
                    if isNew || isRemoved { parting.beside.append(file.name) }
                } else if isNew {
                    parting.left.append(file.name)
                }
                if !isRemoved { parting.staying.append(file) }
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
                from: (isWanted ? [] : entry.files) + entry.leaving, of: entry,
                replaced: isWanted ? [] : entry.files, removing: true, pruning: true,
                keeping: isWanted ? entry.files.map(\.name) : [])
            removals.kept += paths(of: parting.kept)
            removals.keptBeside += paths(of: parting.beside)
            removals.removed += paths(of: parting.removed)
            try take(isWanted ? entry.pruned : entry.forgotten)
        }
        return removals
    }
}

extension FileName {
    /// Whether the names differ only in their extensions, as those of `a.jpg`, `a.jpg.xmp`, `a.xmp` and `a.mov` do.
    fileprivate func isBeside(_ other: FileName) -> Bool { !stems.isDisjoint(with: other.stems) }

    /// The name without its extension and, for a sidecar, also without that of its picture.
    private var stems: Set<FileName> {
        let (stem, ending) = parts
        return ending == "xmp" ? [stem, stem.parts.stem] : [stem]
    }
}
