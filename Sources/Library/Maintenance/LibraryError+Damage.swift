// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

extension LibraryError {
    /// Whether the library's own files are the cause, as opposed to its version, its location,
    /// concurrent use or permissions.
    var isDamage: Bool {
        switch code {
        case .notALibrary, .alreadyExists, .newerSchema, .unsupportedFileSystem, .busy, .conflict,
            .readOnly, .notAuthorized, .noSuchAsset:
            false
        case .cannotRead, .cannotWrite: isBrokenFile
        default: true
        }
    }

    /// Whether a file is of the wrong kind, or its disk is failing.
    private var isBrokenFile: Bool {
        if let error = underlying as? SystemError {
            return [EIO, ELOOP, ENOTDIR, EISDIR, ENXIO, EINVAL].contains(error.number)
        }
        // The other I/O errors are due to a full disk or to permissions.
        let ofReading: [ResultCode] = [
            .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS,
            .SQLITE_IOERR_DATA,
        ]
        return (underlying as? DatabaseError).map { ofReading.contains($0.extendedResultCode) }
            ?? false
    }
}
