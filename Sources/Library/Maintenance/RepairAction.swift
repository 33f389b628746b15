// SPDX-License-Identifier: Apache-2.0

/// What repairing did about a finding.
public enum RepairAction: String, Hashable, Sendable, CaseIterable {
    /// Nothing: it is not there any more, or cannot be helped.
    case none
    /// A mode was set, or a leftover removed.
    case repaired
    /// The file came back from the trash or from quarantine.
    case restored
    /// The damaged file was moved to quarantine.
    case setAside
    /// The file was moved to the trash.
    case trashed
    /// The picture was rendered again.
    case rendered
}
