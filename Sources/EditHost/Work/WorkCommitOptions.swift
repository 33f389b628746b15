// SPDX-License-Identifier: Apache-2.0

/// The options of a commit of results.
package struct WorkCommitOptions: Sendable {
    /// If true, the commit waits for results until every job has an outcome.
    package var follow = false
    /// The maximum number of results in one change.
    package var group = 100
    /// The percentage of results that are rendered again and compared.
    package var audit = 0.0
    /// True if committed files are kept in the work folder.
    package var keepsFiles = false
    /// The interval between two searches for results, and the maximum age of a group.
    package var interval = Duration.seconds(2)

    package init() {}
}
