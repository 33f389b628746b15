// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerHost

extension ExportFolder {
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
