// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Where an extension may write files that it needs for a while.
public struct TemporarySpace: Sendable {
    /// The folder. It takes files, no folders; what is left there is removed when the process ends.
    public let folder: URL
    /// How many bytes all files of the edit may have together, those at `fullSizeImageURL` and
    /// `renderedContentURL` included; nil: without limit.
    public let byteLimit: UInt64?
}
