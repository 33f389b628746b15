// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

@Suite("two processes and one album") struct TwoProcessTests {
    @Test("two processes that fill one album concurrently both keep all their photos")
    func filling() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let assets = try (0..<40).map { try library.importAsset("photo \($0)") }
        let album = try library.makeAlbum("Shared")
        let before = try library.currentChangeToken
        let processes = try [0, 1].map { part in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: DriverStage.driver)
            process.arguments = [temporary.path, "collect", "\(part)", "2"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return process
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        let members = try library.members(of: album)
        #expect(members.count == 40)
        #expect(Set(members) == Set(assets.map(\.id)))
        // Each process's own assets are in its order: those prepended, then those appended.
        for part in 0..<2 {
            let own = assets.enumerated().filter { $0.offset % 2 == part }.map(\.element.id)
            let expected = Array(own[10...].reversed()) + own[..<10]
            #expect(members.filter(own.contains) == expected)
        }
        let changes = try library.fetchPersistentChanges(since: before)
        #expect(changes.count == 40)
        #expect(changes.allSatisfy { $0.items.map(\.identifier) == [album.id] })
    }
}
