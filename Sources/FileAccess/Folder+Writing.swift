// SPDX-License-Identifier: Apache-2.0

import Glibc

// Files that get their names when they are complete.
extension Folder {
    /// `O_TMPFILE`, which Glibc's module leaves out; with `O_DIRECTORY`, so that kernels without it refuse.
    private static let temporaryFile: CInt = 0o20_000_000 | O_DIRECTORY

    /// Makes a file without a name, for writing; it is gone when it is closed, unless it has got one. Nil: the file system has
    /// none such, or none could get a name.
    package func makeNamelessFile() -> OpenFile? {
        let flags = Self.temporaryFile | O_WRONLY | O_CLOEXEC
        let number = retrying { openat(descriptor, ".", flags, 0o666) }
        guard number >= 0 else { return nil }
        let file = OpenFile(descriptor: number, path: "a file in \(path)")
        // Without /proc it could not be given one.
        return access(file.processPath, F_OK) == 0 ? file : nil
    }

    /// Gives a file without a name one, which must not exist yet.
    package func link(_ file: OpenFile, as name: String) throws(SystemError) {
        try Self.check(name)
        let result = name.withPath {
            linkat(AT_FDCWD, file.processPath, descriptor, $0, AT_SYMLINK_FOLLOW)
        }
        guard result == 0 else { throw SystemError("linkat") }
    }

    /// How long a name may be in this folder, in bytes; nil if it is not known.
    package var maximumNameLength: Int? {
        let limit = fpathconf(descriptor, Int32(_PC_NAME_MAX))
        return limit > 0 ? limit : nil
    }
}

extension OpenFile {
    fileprivate var processPath: String { "/proc/self/fd/\(descriptor)" }
}

// Files below a folder, each reached from this folder's descriptor.
extension Folder {
    /// A name in an open folder.
    package struct Place: Sendable {
        /// The folder that the name lies in.
        package let folder: Folder
        /// The name there, of one part.
        package let name: String

        /// Takes an open folder and a name in it.
        package init(folder: Folder, name: String) {
            self.folder = folder
            self.name = name
        }

        /// What lies there; nil if there is nothing.
        package func status() throws(SystemError) -> stat? { try folder.status(name) }
    }

    /// Where a file lies below this folder; nil: there is no such folder. No link is followed.
    package func place(of name: FileName) throws(SystemError) -> Place? {
        var (folders, last) = name.components
        var place = self
        while let component = folders.popFirst() {
            guard let next = try place.folderIfPresent(component) else { return nil }
            place = next
        }
        return Place(folder: place, name: last)
    }

    /// The same, making the folders that are missing.
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
    /// The folders of a path, outermost first, and the name of its file.
    fileprivate var components: (folders: ArraySlice<String>, name: String) {
        let parts = text.pathComponents
        return (parts.dropLast(), parts.last ?? "")
    }
}
