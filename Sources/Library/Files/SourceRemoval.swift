// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

extension PhotoLibrary {
    /// Whether a file lies in the folder of a library, this one or another: then it is that
    /// library's own.
    package func isKeptByLibrary(_ source: SourceFile) -> Bool {
        FileIdentity.isWithin(source.path, path) || source.isInLibrary
    }

    /// Removes a file from its place, after the library has taken it over.
    ///
    /// It is removed only if a row names its bytes, the library's own file was read and has them,
    /// and the path still leads to the file that was read, which nobody has written to since.
    ///
    /// - Parameter hash: The hash of the file's bytes.
    /// - Throws: `LibraryError`: `blobMissing`, `cannotRead`; `cannotWrite` where it cannot be
    ///   removed; then it stays.
    package func remove(_ source: SourceFile, storedAs hash: SHA256Digest) throws {
        guard !isKeptByLibrary(source), try isNamed(hash), try holds(source, hash) else {
            throw LibraryError(
                .blobMissing, "the library has no copy of the file, so it was not removed",
                path: source.path)
        }
        guard !source.isLinked else {
            throw LibraryError(
                .cannotWrite, "the path is a symbolic link; the file was imported, but not removed",
                path: source.path)
        }
        let (folder, name) = source.path.pathParts
        do {
            let parent = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
            var status = stat()
            guard
                name.withPath({ fstatat(parent.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) })
                    == 0,
                SourceFile.Identity(status) == source.identity
            else {
                throw LibraryError(
                    .cannotRead, "the file changed while it was read, so it was not removed",
                    path: source.path)
            }
            // Decision 13: not a rename, because its owner could still write to the file.
            guard name.withPath({ unlinkat(parent.descriptor, $0, 0) }) == 0 else {
                throw SystemError("unlinkat")
            }
        } catch let error as SystemError {
            throw LibraryError(
                .cannotWrite, "the file was imported, but could not be removed from its folder",
                path: source.path, underlying: error)
        }
    }

    private func isNamed(_ hash: SHA256Digest) throws -> Bool {
        try read { database in
            try database.value(
                "SELECT EXISTS (SELECT 1 FROM resource WHERE blob_hash = ?)", [hash.hex]) ?? false
        }
    }

    /// Whether the library has these bytes in a file that is not the source itself.
    private func holds(_ source: SourceFile, _ hash: SHA256Digest) throws -> Bool {
        guard let status = try? store.status(of: hash),
            status.st_dev != source.identity.device || status.st_ino != source.identity.inode
        else { return false }
        return try store.holds(hash, size: source.identity.size)
    }
}

extension SourceFile {
    /// Whether a folder above it has what makes one a library.
    fileprivate var isInLibrary: Bool {
        // What cannot be looked at stays where it is.
        (try? PhotoLibrary.isWithinLibrary(path)) ?? true
    }
}
