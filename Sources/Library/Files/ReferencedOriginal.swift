// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

/// A file outside the library that an asset refers to.
struct ReferencedOriginal {
    /// The state of a referenced file.
    enum State: Equatable {
        /// The file is the one that was referenced.
        case present
        /// The file is missing or cannot be opened.
        case away
        /// The file was replaced or modified.
        case changed
    }

    let resource: AssetResource
    /// The path of the file, or nil if the address is not a file URL.
    let path: String?

    init(_ resource: AssetResource) {
        self.resource = resource
        path = resource.url.flatMap(FileAddress.path(ofURL:))
    }

    /// The state by type and size alone, without opening the file. Its content may differ all the
    /// same.
    var stateByStatus: State {
        var status = stat()
        guard let path, path.withPath({ stat($0, &status) }) == 0, status.isPlainFile else {
            return .away
        }
        return Int(status.st_size) == resource.size ? .present : .changed
    }

    /// Returns the state of the file. Its content is read if its modification time differs, or if
    /// `reading` is true.
    func state(reading: Bool = false) throws -> State {
        guard let path, let file = try? OpenFile.regularFile(at: path) else { return .away }
        return try state(of: file, reading: reading)
    }

    // Decision 13: size and modification time are sufficient for rendering. Copied content is
    // hashed.
    private func state(of file: OpenFile, reading: Bool) throws -> State {
        let status = try file.status()
        guard status.isPlainFile else { return .away }
        let identity = SourceFile.Identity(status)
        guard identity.size == resource.size else { return .changed }
        if !reading, identity.microseconds == resource.contentDate { return .present }
        let hash = try FileBytes.hash(of: file)
        return hash == resource.contentHash ? .present : .changed
    }

    /// Opens the file if it is the one that was referenced.
    func open() throws -> OpenFile {
        guard let path else {
            throw LibraryError(
                .originalMissing,
                "the original is neither in the library nor in a file on this computer",
                asset: resource.assetLocalIdentifier, path: resource.url)
        }
        let file: OpenFile
        do {
            file = try .regularFile(at: path)
        } catch let error as LibraryError {
            throw away(error.underlying as? SystemError)
        }
        switch try state(of: file, reading: false) {
        case .present: return file
        case .away: throw away(nil)
        case .changed: throw changed
        }
    }

    /// The error for a replaced or modified file.
    var changed: LibraryError {
        LibraryError(
            .referencedFileChanged,
            "the referenced original was changed or replaced; restore it or, if only its "
                + "metadata was changed, run edithost import --reference on it",
            asset: resource.assetLocalIdentifier, path: path)
    }

    private func away(_ cause: SystemError?) -> LibraryError {
        LibraryError(
            .originalMissing,
            "the referenced original is missing; restore it, or import it again",
            asset: resource.assetLocalIdentifier, path: path, underlying: cause)
    }
}
