// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Temporary folders of runners and edits.
@Suite("private folders")
struct PrivateFolderTests {
    @Test("a runner's or edit's folder is removed with it; those of killed hosts later")
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
        // Old, but its host is still running.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder.path)
        let other = try PrivateFolder(for: .edit)
        #expect(FileManager.default.fileExists(atPath: folder.path))
        for folder in [folder, other] {
            folder.remove()
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test("runners of a released host end, and their folders are removed")
    func abandonedHost() async throws {
        let folder = try TemporaryFolder()
        let list = folder.file("folders")
        do {
            let studio = try TestStudio(
                trusted: false,
                configure: {
                    $0.runnerExecutable = folder.file("runner")
                    $0.runnerLimit = 4
                })
            try Self.makeRunner(folder.file("runner"), notingFolderIn: list)
            let asset = try await studio.add(.gradient())
            try await studio.edit(asset)
            // Starts a runner that has not been used.
            await studio.host.pool.warmUp(4)
        }
        // The last runner may still be starting.
        for _ in 0..<3000 where try Self.lines(of: list).count < 3 {
            try await Task.sleep(for: .milliseconds(10))
        }
        let paths = try Self.lines(of: list)
        #expect(paths.count >= 3)
        for path in paths {
            for _ in 0..<3000 where FileManager.default.fileExists(atPath: path) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    /// Writes a program that records the folder it was given and then executes the runner.
    private static func makeRunner(_ path: String, notingFolderIn list: String) throws {
        let script = """
            #!/bin/sh
            echo "$TMPDIR" >> '\(list)'
            exec '\(BuildProducts.runner)' "$@"

            """
        // Written by another process, because a child forked meanwhile would keep the file open and busy.
        let result = try runProgram(
            "/bin/sh", ["-c", "printf '%s' \"$1\" > \"$0\" && chmod 700 \"$0\"", path, script])
        try #require(result.status == 0, "\(result.errors)")
    }

    private static func lines(of file: String) throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
