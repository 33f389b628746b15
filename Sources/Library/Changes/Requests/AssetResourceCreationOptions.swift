// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Options for adding a file to a new asset. The format is always detected from the bytes.
public struct AssetResourceCreationOptions: Hashable, Sendable {
    /// The filename to store, without a folder. Nil for the name of the file; for bytes without a
    /// file, `picture`, `film` or `sound` with the extension of their format.
    public var originalFilename: String?
    /// True if the source file is removed after the change has committed and the library's copy has
    /// been read back. If removal fails, the file stays, and ``AssetCreationRequest/moveErrors``
    /// has the error. Ignored for bytes without a file.
    public var shouldMoveFile = false

    /// Creates options that keep the filename and do not move the file.
    public init() {}
}
