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

    @Test("The runners of a host that nobody has any more end, and their folders go")
    func abandonedHost() async throws {
        var paths: [String] = []
        do {
            let studio = try TestStudio(trusted: false)
            let asset = try await studio.add(.gradient())
            try await studio.edit(asset)
            await studio.host.pool.warmUp(3)
            paths = try await runnerFolders(of: studio.host)
        }
        try #require(!paths.isEmpty)
        for path in paths {
            for _ in 0..<3000 where FileManager.default.fileExists(atPath: path) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    /// Those of an idle one with the extension, and one without.
    private func runnerFolders(of host: ExtensionHost) async throws -> [String] {
        let binary = try host.extensions.binary(identifier: "org.example.adder")
        var paths: [String] = []
        for binaries in [[binary], []] {
            paths.append(
                try await host.pool.withRunner(loading: binaries) { $0.process.folder.path })
        }
        return paths
    }
}
