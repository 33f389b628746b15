// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A folder in which an extension may write temporary files.
public struct TemporarySpace: Sendable {
    /// The folder. It accepts files but no subfolders. Remaining files are removed when the process ends.
    public let folder: URL
    /// The maximum total size in bytes of all files of the edit, including those at `fullSizeImageURL` and
    /// `renderedContentURL`. Nil means no limit.
    public let byteLimit: UInt64?
}
