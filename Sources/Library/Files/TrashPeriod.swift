// SPDX-License-Identifier: Apache-2.0

/// The time for which deleted assets and unused files are kept.
public enum TrashPeriod {
    /// The number of days for which deleted assets stay in the trash. The next prune after that
    /// removes them for good. Unused files stay in the library's folder `trash` for as long.
    public static let days = 30
}
