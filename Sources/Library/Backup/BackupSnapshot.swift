// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// The state of a library at the time of one backup. Each snapshot has a database of its own, and
/// all snapshots of a backup share its files.
public struct BackupSnapshot: Hashable, Sendable {
    /// The date of the backup, in milliseconds.
    public let date: Date
    /// The name of its database in the folder `snapshots`, for example
    /// `2026-11-28T215802.123Z.sqlite`. Some file systems do not allow colons.
    let name: String
    /// Whether this is the last backup, which has no database in the folder `snapshots` because an
    /// earlier version made it. The next backup adds it there.
    var isLastBackup = false
    /// The name of the database in the folder `snapshots`; nil if it is that of the last backup.
    var database: String? { isLastBackup ? nil : name }

    /// Creates the snapshot of a backup that begins now.
    init(date: Date) {
        let parts = CaptureDate(date: date, offset: nil).text.split(separator: ".")
        let second = parts[0].filter { $0 != ":" }
        let decimals = parts.count > 1 ? parts[1] : ""
        let zeros = String(repeating: "0", count: 3 - decimals.count)
        name = "\(second).\(decimals)\(zeros)Z.sqlite"
        self.date = Date(
            timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
    }

    /// Returns the snapshot whose database has a name, or nil for other names.
    init?(name: String) {
        let form = #/(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d\.\d{3})Z\.sqlite/#
        guard let match = name.wholeMatch(of: form)?.output,
            let date = CaptureDateParser.parse("\(match.1):\(match.2):\(match.3)Z")?.date
        else { return nil }
        self.init(date: date)
        guard self.name == name else { return nil }
    }
}
