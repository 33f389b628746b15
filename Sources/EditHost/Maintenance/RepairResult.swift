// SPDX-License-Identifier: Apache-2.0

import Library

/// The result of a repair: its findings, its actions and the remaining findings.
package struct RepairResult: Sendable {
    /// The findings of the check before the repair.
    package let findings: [CheckReport.Finding]
    /// The action for each finding, in the order of `findings`.
    package let actions: [RepairAction]
    /// The errors of renditions that could not be re-rendered.
    package let failures: [any Error]
    /// The report of the check after the repair.
    package let remaining: CheckReport
}
