// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost

/// What runners and edits leave behind.
@Suite("Private folders")
struct PrivateFolderTests {
    @Test("A runner's or an edit's folder goes with it, and those of killed hosts go later")
    func folders() async throws {
        let parent = FileManager.default.temporaryDirectory.path
        let abandoned = "\(parent)/edithost-runner-\(UUID().uuidString)"
        let young = "\(parent)/edithost-runner-\(UUID().uuidString)"
        for path in [abandoned, young] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
        defer { try? FileManager.default.removeItem(atPath: young) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: abandoned)
        let folder = try PrivateFolder(for: .runner)
        #expect(!FileManager.default.fileExists(atPath: abandoned))
        #expect(FileManager.default.fileExists(atPath: young))
        #expect(FileManager.default.fileExists(atPath: folder.path))
        // Old, but its host lives.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder.path)
        let other = try PrivateFolder(for: .edit)
        #expect(FileManager.default.fileExists(atPath: folder.path))
        for folder in [folder, other] {
            folder.remove()
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }
}
