// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The state of a library at the time of one backup. Each snapshot has a database of its own, and
/// all snapshots of a backup share its files.
public struct BackupSnapshot: Hashable, Sendable {
    /// The date of the backup, in milliseconds.
    public let date: Date
    /// The name of its database in the folder `snapshots`.
    let name: String

    private static let suffix = ".sqlite"
    /// For example `2026-11-28T215802.123Z`. Some file systems do not allow colons.
    private static let format = Date.ISO8601FormatStyle(
        timeSeparator: .omitted, includingFractionalSeconds: true)

    /// Creates the snapshot of a backup that begins now.
    init(date: Date) {
        name = date.formatted(Self.format) + Self.suffix
        self.date = (try? Self.format.parse(date.formatted(Self.format))) ?? date
    }

    /// Returns the snapshot whose database has a name, or nil for other names.
    init?(name: String) {
        guard name.hasSuffix(Self.suffix),
            let date = try? Self.format.parse(String(name.dropLast(Self.suffix.count)))
        else { return nil }
        self.init(date: date)
        guard self.name == name else { return nil }
    }
}
