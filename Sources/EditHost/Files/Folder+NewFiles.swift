// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import Library
import RunnerHost

extension Folder {
    /// The `errno` value with which the creation of a file in the folder would fail; nil if none is known.
    var obstacleToNewFiles: Int32? {
        guard isWritable else { return errno }
        guard let device = try? status().st_dev,
            let type = MountTable.fileSystemType(ofDevice: device)
        else { return nil }
        return MountTable.kernelTypes.contains(type) ? EPERM : nil
    }

    /// Rejects a folder in which no files can be created.
    ///
    /// - Parameter path: The path in messages.
    /// - Throws: `HostError` with `fileFailed`.
    func requireWritable(_ path: String) throws {
        if let number = obstacleToNewFiles {
            throw HostError.output(path: path, number)
        }
    }
}
