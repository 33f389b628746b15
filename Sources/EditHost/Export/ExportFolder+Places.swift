// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

extension ExportFolder {
    /// Where a file lies, below this folder; nil: there is no such folder. No link is followed.
    func place(of name: String) throws(SystemError) -> (folder: Folder, name: String)? {
        var components = name.pathComponents
        let last = components.popLast() ?? name
        var place = folder
        for component in components {
            guard let next = try place.folderIfPresent(component) else { return nil }
            place = next
        }
        return (place, last)
    }

    /// What tells a file from others, whatever its name.
    struct Identity: Hashable {
        fileprivate let device: dev_t
        fileprivate let inode: ino_t
    }

    /// The file that a name stands for; nil: there is none.
    func identity(of name: String) -> Identity? {
        guard let (folder, file) = try? place(of: name), let status = try? folder.status(file)
        else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }

    /// A file that is there as one that is to be written, and of which the record says nothing.
    ///
    /// - Returns: nil: what is there is something else, or cannot be read.
    func find(_ name: String, _ part: NewFile.Part, for subject: Subject) -> ExportRecord.File? {
        guard record.owns(subject, name), let (folder, file) = try? place(of: name),
            let status = try? folder.status(file), FileKind(status) == .regularFile,
            Int(status.st_size) == part.size,
            let hash = try? OutgoingFile(folder.file(file, O_RDONLY)).hash(), hash == part.hash
        else { return nil }
        return ExportRecord.File(
            name: name, hash: hash, size: part.size, modified: status.st_mtim.nanoseconds,
            wasThere: true)
    }

    /// Makes the folders that files are to lie in.
    func makeFolders(of names: [String]) throws {
        for name in names {
            var place = folder
            for component in name.pathComponents.dropLast() {
                place = try Self.failing("\(path)/\(name)", "cannot be made") {
                    try place.makeFolderIfNeeded(component)
                }
            }
        }
    }

    /// Removes a file, and the folders that are empty then.
    func remove(_ name: String) throws {
        try Self.failing("\(path)/\(name)", "cannot be removed") {
            guard let (folder, file) = try place(of: name) else { return }
            try folder.removeFile(file)
            var outer = name.pathComponents.dropLast()
            while !outer.isEmpty {
                guard let (folder, name) = try place(of: outer.joined(separator: "/"))
                else { return }
                try folder.removeFolderIfEmpty(name)
                outer = outer.dropLast()
            }
        }
    }
}
