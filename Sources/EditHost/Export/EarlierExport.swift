// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost

/// The files that earlier exports wrote for an asset, compared with those in the folder.
struct EarlierExport {
    typealias Entry = ExportRecord.Entry

    /// The entry of the record; nil for a new asset.
    private let entry: Entry?
    /// The entry if it is proven. Content of an unproven entry must not be copied into a proven one.
    let proven: Entry?
    /// The states of the entry's files.
    let states: [ExportFolder.FileState]
    /// The unmodified files under earlier names.
    private let leaving: [ExportRecord.File]

    /// - Throws: `HostError` with `fileFailed`.
    init(of subject: ExportRecord.Subject, in folder: ExportFolder) throws {
        let entry = folder.record.entry(of: subject)
        let proven = entry.flatMap { $0.isProven ? $0 : nil }
        states = try (entry?.files ?? []).map { file in
            try entry.map { try folder.state(of: file, $0, reading: true) } ?? .foreign
        }
        leaving = try (proven?.leaving ?? []).filter { file in
            try proven.map { try folder.state(of: file, $0, reading: true) } == .same
        }
        (self.entry, self.proven) = (entry, proven)
    }

    /// Returns the entry whose names the new files keep, replacing its files; nil if they get other names.
    func keptEntry(for files: [NewFile.Named], in folder: Folder) -> Entry? {
        guard let entry, !states.contains(.foreign), !states.contains(.taken),
            entry.number == 0 || files.allSatisfy(\.name.isNumbered),
            NewFile.names(of: files, number: entry.number, in: folder) == entry.files.map(\.name)
        else { return nil }
        return entry
    }

    /// Returns the entry of new files.
    func entry(
        replacedBy files: [ExportRecord.File], number: Int, of subject: ExportRecord.Subject,
        _ key: ExportRecord.Key, _ renderedVersion: ExportRecord.RenderedVersion?
    ) -> Entry {
        // Older hashes are kept only if an interrupted export left such a file.
        let hashes =
            (proven?.files.filter { $0.wasThere != true }.map(\.hash) ?? [])
            + (states.contains(.earlier) ? proven?.earlier ?? [] : [])
            + leaving.map(\.hash)
        let before = (proven?.files ?? []) + (proven?.leaving ?? [])
        let names = Set(files.map(\.name))
        return Entry(
            subject: subject, key: key, number: number, files: files, earlier: hashes,
            leaving: before.filter { !names.contains($0.name) }, renderedVersion: renderedVersion)
    }

    /// The names of the asset's own files, which may be replaced, including those under its earlier names.
    var ownNames: Set<FileName> {
        let same = zip(entry?.files ?? [], states).filter { $1 == .same || $1 == .earlier }
        return Set(same.map(\.0.name) + leaving.map(\.name))
    }

    /// The names of files for which no proof shows that this library wrote them.
    var unprovenNames: [FileName] {
        guard proven == nil else { return [] }
        return zip(entry?.files ?? [], states).filter { $1 == .foreign }.map(\.0.name)
    }

    /// Returns advice for the user about a name that is taken.
    func advice(for name: FileName) -> String? {
        guard proven == nil, entry?.files.contains(where: { $0.name == name }) == true else {
            return nil
        }
        return
            "it was exported by an earlier version of edithost or another library; move it away, or export into another folder"
    }
}
