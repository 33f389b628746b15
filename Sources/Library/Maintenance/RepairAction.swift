// SPDX-License-Identifier: Apache-2.0

/// The outcome of repairing a finding.
package enum RepairAction: String, Hashable, Sendable, CaseIterable {
    /// No action: the fault no longer exists, or cannot be repaired.
    case none
    /// The mode was set, or a leftover was removed.
    case repaired
    /// The file was restored from the trash or from quarantine.
    case restored
    /// The damaged file was moved to quarantine.
    case setAside
    /// The file was moved to the trash.
    case trashed
    /// The image was re-rendered.
    case rendered
}
