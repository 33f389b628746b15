// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The result of pruning the files of earlier exports.
public struct ExportRemovals: Sendable {
    /// The paths of the removed files.
    public var removed: [String] = []
    /// The paths of files that were not removed, because they were modified since they were exported.
    public var kept: [String] = []
    /// The paths of unmodified files that were not removed, because a file exported with them was modified.
    public var keptBeside: [String] = []
}
