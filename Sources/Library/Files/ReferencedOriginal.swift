// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc

/// A file that an asset refers to where it lies, outside the library.
struct ReferencedOriginal {
    /// How it stands with the file.
    enum State: Equatable {
        /// It is the file that was referenced.
        case present
        /// It is not there, or cannot be opened.
        case away
        /// It is another one, or has been written to.
        case changed
    }

    let resource: AssetResource
    /// Where it lies; nil where the address is not one of a file.
    let path: String?

    init(_ resource: AssetResource) {
        self.resource = resource
        path = resource.url.flatMap(FileAddress.path(ofURL:))
    }

    /// What can be told without opening the file: it may still have other bytes of this number.
    var stateByStatus: State {
        var status = stat()
        guard let path, path.withPath({ stat($0, &status) }) == 0, status.isPlainFile else {
            return .away
        }
        return Int(status.st_size) == resource.size ? .present : .changed
    }

    /// Whether it is the file that was referenced. It is read where its time is another one, or
    /// where it is to be read anyhow.
    func state(reading: Bool = false) throws -> State {
        guard let path, let file = try? OpenFile.regularFile(at: path) else { return .away }
        return try state(of: file, reading: reading)
    }

    // Decision 13: size and time are enough to render from it. What is copied out is hashed.
    private func state(of file: OpenFile, reading: Bool) throws -> State {
        let status = try file.status()
        guard status.isPlainFile else { return .away }
        let identity = SourceFile.Identity(status)
        guard identity.size == resource.size else { return .changed }
        if !reading, identity.microseconds == resource.contentDate { return .present }
        let hash = try FileBytes.hash(of: file)
        return hash == resource.contentHash ? .present : .changed
    }

    /// Opens the file, if it is the one that was referenced.
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

    /// The error for another file in its place.
    var changed: LibraryError {
        LibraryError(
            .referencedFileChanged,
            "the referenced original was changed or replaced; restore it, or import the new "
                + "file",
            asset: resource.assetLocalIdentifier, path: path)
    }

    private func away(_ cause: SystemError?) -> LibraryError {
        LibraryError(
            .originalMissing,
            "the referenced original is missing; restore it, or import it again",
            asset: resource.assetLocalIdentifier, path: path, underlying: cause)
    }
}
