// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

extension PhotoLibrary {
    /// Returns whether a file is inside the folder of this or another library, which then owns it.
    package func isKeptByLibrary(_ source: SourceFile) -> Bool {
        FileIdentity.isWithin(source.path, path) || source.isInLibrary
    }

    /// Removes a file after the library has imported it.
    ///
    /// The file is removed only if all of these conditions are met:
    /// - A row refers to its content.
    /// - The library's own copy was read and matches.
    /// - The path still leads to the file that was imported, unmodified.
    ///
    /// - Parameter hash: The hash of the file's content.
    /// - Throws: `LibraryError` with `blobMissing` or `cannotRead`, or with `cannotWrite` if the
    ///   file cannot be removed; it then stays in place.
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
            // Decision 13: the file is copied and unlinked, not renamed, because its owner could
            // still write to a renamed file.
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

    /// Whether the library stores the content in a file other than the source itself.
    private func holds(_ source: SourceFile, _ hash: SHA256Digest) throws -> Bool {
        guard let status = try? store.status(of: hash),
            status.st_dev != source.identity.device || status.st_ino != source.identity.inode
        else { return false }
        return try store.holds(hash, size: source.identity.size)
    }
}

extension SourceFile {
    /// Whether a parent folder is a library.
    fileprivate var isInLibrary: Bool {
        // If this cannot be determined, the file is kept.
        (try? PhotoLibrary.isWithinLibrary(path)) ?? true
    }
}
