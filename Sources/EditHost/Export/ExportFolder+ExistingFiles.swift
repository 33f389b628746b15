// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerHost

extension ExportFolder {
    /// The state of a file that an earlier export wrote.
    enum FileState {
        /// The file is as exported.
        case same
        /// The export was interrupted: the file is as before it.
        case earlier
        /// There is no file.
        case missing
        /// The name belongs to another asset or variant now.
        case taken
        /// The file was modified, or its origin is not proven.
        case foreign
    }

    /// Compares a file with its entry in the record.
    ///
    /// - Parameter reading: Whether to read the bytes even if size and date match, as before replacing or
    ///   removing it.
    func state(of file: ExportRecord.File, _ entry: Entry, reading: Bool) throws -> FileState {
        try Self.failing("\(path)/\(file.name)") {
            guard record.owns(entry.subject, file.name) else { return .taken }
            if dryRun?.removed.contains(file.name) == true { return .missing }
            let found: Folder.Place?
            do {
                found = try folder.place(of: file.name)
            } catch let error as SystemError where error.misplaced != nil {
                // A component of the path is not a folder.
                return .foreign
            }
            guard let place = found, let status = try place.status() else { return .missing }
            guard FileKind(status) == .regularFile, !reading || file.wasThere != true else {
                return .foreign
            }
            let isAsLong = Int(status.st_size) == file.size
            // Without fractions of a second, an interrupted export may have left the earlier file of the same date.
            let isPrecise = file.modified % 1_000_000_000 != 0 || entry.earlier.isEmpty
            if !reading, isAsLong, isPrecise, status.st_mtim.nanoseconds == file.modified {
                return .same
            }
            guard entry.isProven, isAsLong || !entry.earlier.isEmpty else { return .foreign }
            let hash = try OutgoingFile(place.folder.file(place.name, O_RDONLY)).hash()
            return hash == file.hash ? .same : entry.earlier.contains(hash) ? .earlier : .foreign
        }
    }

    /// The paths of the exported files of an asset that were modified.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func modifiedPaths(of subject: Subject) throws -> [String] {
        guard let entry = record.entry(of: subject) else { return [] }
        return paths(
            of: try entry.files.filter { try state(of: $0, entry, reading: false) == .foreign }
                .map(\.name))
    }

    /// The device and inode of a file, without following links; nil if it is missing.
    func identity(of name: FileName) -> FileIdentity? {
        guard let place = try? folder.place(of: name), let status = try? place.status()
        else { return nil }
        return FileIdentity(status)
    }

    /// Finds an existing file with the same bytes as one that is to be written, unless the record lists it for another
    /// asset.
    ///
    /// - Returns: The file, or nil if it is missing, unreadable or different.
    func find(
        _ name: FileName, _ expected: SHA256Digest, _ size: Int, for subject: Subject
    ) -> ExportRecord.File? {
        guard record.owns(subject, name), let place = try? folder.place(of: name),
            let status = try? place.status(), FileKind(status) == .regularFile,
            Int(status.st_size) == size,
            let hash = try? OutgoingFile(place.folder.file(place.name, O_RDONLY)).hash(),
            hash == expected
        else { return nil }
        return ExportRecord.File(
            name: name, hash: hash, size: size, modified: status.st_mtim.nanoseconds,
            wasThere: true)
    }

    /// Removes a file, and its parent folders that become empty.
    mutating func remove(_ name: FileName) throws {
        guard dryRun == nil else {
            dryRun?.removed.insert(name)
            return
        }
        try Self.failing("\(path)/\(name)", "cannot be removed") {
            guard let place = try folder.place(of: name) else { return }
            try place.folder.removeFile(place.name)
            var outer = name.text.pathComponents.dropLast()
            while !outer.isEmpty {
                let name = FileName(outer.joined(separator: "/"))
                guard let place = try folder.place(of: name) else { return }
                try place.folder.removeFolderIfEmpty(place.name)
                outer = outer.dropLast()
            }
        }
    }
}
