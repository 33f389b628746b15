// SPDX-License-Identifier: Apache-2.0

import Glibc

// Files that are created without a name and linked when they are complete.
extension Folder {
    /// `O_TMPFILE`, which the Glibc module omits. With `O_DIRECTORY`, kernels without support reject it.
    private static let temporaryFile: CInt = 0o20_000_000 | O_DIRECTORY

    /// Creates an unnamed file for writing, which is deleted on close unless it was linked.
    ///
    /// Returns `nil` if the file system does not support such files or they could not be linked.
    package func makeUnnamedFile() -> OpenFile? {
        let flags = Self.temporaryFile | O_WRONLY | O_CLOEXEC
        let number = retrying { openat(descriptor, ".", flags, 0o666) }
        guard number >= 0 else { return nil }
        let file = OpenFile(descriptor: number, path: "a file in \(path)")
        // Linking an unnamed file requires /proc.
        return access(file.processPath, F_OK) == 0 ? file : nil
    }

    /// Links an unnamed file under a name that must not exist yet.
    package func link(_ file: OpenFile, as name: String) throws(SystemError) {
        try Self.check(name)
        let result = name.withPath {
            linkat(AT_FDCWD, file.processPath, descriptor, $0, AT_SYMLINK_FOLLOW)
        }
        guard result == 0 else { throw SystemError("linkat") }
    }

    /// The maximum length of a name in this folder in bytes; `nil` if unknown.
    package var maximumNameLength: Int? {
        let limit = fpathconf(descriptor, Int32(_PC_NAME_MAX))
        return limit > 0 ? limit : nil
    }
}

extension OpenFile {
    fileprivate var processPath: String { "/proc/self/fd/\(descriptor)" }
}

// Files in subfolders, opened relative to this folder's descriptor.
extension Folder {
    /// A name in an open folder.
    package struct Place: Sendable {
        /// The folder that contains the name.
        package let folder: Folder
        /// The name, a single path component.
        package let name: String

        /// Creates a place from an open folder and a name in it.
        package init(folder: Folder, name: String) {
            self.folder = folder
            self.name = name
        }

        /// Returns the status of the file; `nil` if it does not exist.
        package func status() throws(SystemError) -> stat? { try folder.status(name) }

        /// Whether this process may write the file; `true` if there is none. Links are followed.
        package var isWritable: Bool {
            name.withPath { faccessat(folder.descriptor, $0, W_OK, 0) == 0 || errno == ENOENT }
        }
    }

    /// Returns the place of a file in a subfolder, without following links; `nil` if the subfolder does not
    /// exist.
    package func place(of name: FileName) throws(SystemError) -> Place? {
        var (folders, last) = name.components
        var place = self
        while let component = folders.popFirst() {
            guard let next = try place.folderIfPresent(component) else { return nil }
            place = next
        }
        return Place(folder: place, name: last)
    }

    /// Returns the place of a file in a subfolder, creating missing subfolders.
    package func makePlace(of name: FileName) throws(SystemError) -> Place {
        var (folders, last) = name.components
        var place = self
        while let component = folders.popFirst() {
            place = try place.makeFolderIfNeeded(component)
        }
        return Place(folder: place, name: last)
    }
}

extension FileName {
    /// The folders of a path from the outermost one, and the name of its file.
    fileprivate var components: (folders: ArraySlice<String>, name: String) {
        let parts = text.pathComponents
        return (parts.dropLast(), parts.last ?? "")
    }
}
