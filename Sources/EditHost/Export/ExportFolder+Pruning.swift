// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension ExportFolder {
    /// What becomes of files that an asset had under other names; all but `staying` are names.
    struct Parting {
        var removed: [FileName] = []
        /// Those that were replaced just now, and stay.
        var left: [FileName] = []
        /// Those that are not what was written.
        var kept: [FileName] = []
        /// Those that were there before any export wrote them.
        var others: [FileName] = []
        /// What the record goes on to name, so that a later export can remove it.
        var staying: [ExportRecord.File] = []
    }

    /// Removes what an asset had under other names, or leaves it there.
    ///
    /// - Parameters:
    ///   - replaced: the files that were replaced just now.
    ///   - isRemoving: whether those are removed.
    ///   - isPruning: whether those are removed that were replaced earlier.
    ///   - names: those of files that stay: what is the same file under another name, as where case does not count, is
    ///     neither removed nor named.
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

    /// Removes what earlier exports wrote of a library's assets, but for the files that some have now.
    ///
    /// - Parameters:
    ///   - isKept: whose files stay; what they had under other names goes.
    ///   - isUntouched: of whom nothing is removed.
    /// - Returns: the paths of what was removed, and of what is not what was written.
    mutating func prune(
        _ library: String, butFor isKept: (Subject) -> Bool, leaving isUntouched: (Subject) -> Bool
    ) throws -> (removed: [String], kept: [String]) {
        var (removed, kept): ([FileName], [FileName]) = ([], [])
        let none = FileName("")
        let entries = record.entries
            .filter {
                // What proves nothing stays as it is, so that no line is written that would prove it.
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

extension ExportRecord.Entry {
    /// The same once its files have their names, with others that it had before.
    func done(leaving: [ExportRecord.File]) -> Self {
        Self(
            subject: subject, key: key, number: number, files: files, earlier: [],
            leaving: leaving)
    }

    /// The same without what it had under other names.
    fileprivate var pruned: Self {
        Self(
            subject: subject, key: key, number: number, files: files, earlier: earlier,
            leaving: [])
    }

    /// That nothing is there of it.
    fileprivate var forgotten: Self {
        Self(subject: subject, key: key, number: 0, files: [], earlier: [], leaving: [])
    }
}
