// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Library

@Suite("names of snapshots")
struct BackupSnapshotNameTests {
    @Test("the date of each millisecond is read back from its name")
    func milliseconds() throws {
        for millisecond in 0..<1000 {
            let date = Date(timeIntervalSince1970: 1_795_903_421 + Double(millisecond) / 1000)
            let snapshot = BackupSnapshot(date: date)
            let digits = String(String(1000 + millisecond).dropFirst())
            #expect(snapshot.name == "2026-11-28T220341.\(digits)Z.sqlite")
            #expect(BackupSnapshot(name: snapshot.name) == snapshot)
            #expect(abs(snapshot.date.timeIntervalSince(date)) < 1e-4)
        }
        // The last half of a millisecond belongs to the next second.
        let late = BackupSnapshot(date: Date(timeIntervalSince1970: 1_795_903_421.9996))
        #expect(late.name == "2026-11-28T220342.000Z.sqlite")
    }

    @Test(
        "other names are not snapshots",
        arguments: [
            "2026-13-28T220341.000Z.sqlite", "2026-11-28T220341Z.sqlite", ".sqlite",
            "2026-11-28T250341.000Z.sqlite", "2026-11-28T220341.000Z.sqlite-journal",
            "2026-11-28T22:03:41.000Z.sqlite", "2026-11-28T220341.0000Z.sqlite",
            "2026-11-28T220360.000Z.sqlite", "0000-11-28T220341.000Z.sqlite",
            "２026-11-28T220341.000Z.sqlite",
        ])
    func others(name: String) {
        #expect(BackupSnapshot(name: name) == nil)
    }
}
